import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RequestName, Requests } from '../../../shared/ipc/channels.ts';
import type { StatusView } from '../../../shared/status.ts';
import { request } from '../../bridge.ts';
import { Menu } from '../../parts/menu.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { useTexts } from '../../texts.ts';
import { asksForAct } from './holds.tsx';

/** Pause or resume, and look for new mails at once. */
export function Actions(props: { readonly status: StatusView }): JSX.Element {
  const { today: texts } = useTexts();
  const [said, setSaid] = useState('');
  const [trouble, setTrouble] = useState<string | null>(null);
  // The act that a hold asks for is then the one that matters most.
  const isAsking = props.status.holds.some(asksForAct);
  const isPaused = props.status.holds.some((hold) => hold.kind === 'user');

  const act = async <N extends RequestName>(name: N, argument: Requests[N]['in'], done: string): Promise<void> => {
    setTrouble(null);
    const answer = await request(name, argument);
    if (answer.ok) setSaid(done);
    else setTrouble(answer.error.text);
  };
  const pause = (until: Requests['pause']['in']['until']): void => void act('pause', { until }, '');

  return (
    <>
      <div class="actions">
        {isPaused ? (
          <button type="button" class={isAsking ? '' : 'primary'} onClick={() => void act('resume', null, '')}>
            {texts.resume}
          </button>
        ) : (
          <Menu
            id="pause"
            word={texts.pause}
            entries={[
              { word: texts.pauseHour, onChoose: () => pause('hour') },
              { word: texts.pauseToday, onChoose: () => pause('today') },
              { word: texts.pauseResume, onChoose: () => pause('resume') },
            ]}
          />
        )}
        <button type="button" onClick={() => void act('check-now', null, texts.checked)}>
          {texts.checkNow}
        </button>
        <span role="status" class="quiet">
          {said}
        </span>
      </div>
      {trouble !== null && <Trouble title={null} text={trouble} quote={null} />}
    </>
  );
}
