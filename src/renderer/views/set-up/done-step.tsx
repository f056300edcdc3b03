import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { request } from '../../bridge.ts';
import { Icon } from '../../parts/icon.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { useTexts } from '../../texts.ts';
import { StepHead } from './step-head.tsx';

export function DoneStep(props: {
  readonly startAtLogin: boolean;
  readonly onBack: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  const { setUp } = useTexts();
  const texts = setUp.done;
  const [startAtLogin, setStartAtLogin] = useState(props.startAtLogin);
  const [trouble, setTrouble] = useState<string | null>(null);
  const finish = async (event: Event): Promise<void> => {
    event.preventDefault();
    const answer = await request('finish-set-up', { startAtLogin });
    if (answer.ok) props.onDone();
    else setTrouble(answer.error.text);
  };
  return (
    <section class="step">
      <StepHead step={3} title={texts.title} text={texts.intro} />
      <form class="form" onSubmit={finish}>
        <label class="check">
          <input
            type="checkbox"
            checked={startAtLogin}
            onChange={(event) => setStartAtLogin(event.currentTarget.checked)}
          />
          <span>
            {texts.startAtLogin}
            <span class="hint">{texts.startAtLoginHint}</span>
          </span>
        </label>
        <p class="quiet">{texts.hoursHint}</p>
        {trouble !== null && <Trouble title={null} text={trouble} quote={null} />}
        <div class="actions">
          <button type="submit" class="primary">
            {texts.finish}
          </button>
        </div>
      </form>
      <button type="button" class="plain step-back" onClick={props.onBack}>
        <Icon name="back" />
        {setUp.stepBack}
      </button>
    </section>
  );
}
