import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SettingsView } from '../../../shared/ipc/views.ts';
import { request } from '../../bridge.ts';
import { focusFirst } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { useTexts } from '../../texts.ts';
import { useRequest } from '../../use-request.ts';
import { HoursFields } from '../settings/hours-fields.tsx';
import { type PaceDraft, paceDraft, readPace } from '../settings/pace-draft.ts';
import { saveSettings } from '../settings/save-settings.ts';
import { StepHead } from './step-head.tsx';

type Ways = { readonly onBack: () => void; readonly onDone: () => void };

/** The last step: when the program starts, and at which hours mails may leave. */
export function DoneStep(props: Ways & { readonly startAtLogin: boolean }): JSX.Element {
  const { setUp } = useTexts();
  const [settings, ask] = useRequest('settings', null);
  return (
    <section class="step">
      <StepHead step={3} title={setUp.done.title} text={setUp.done.intro} />
      <LoadedView loaded={settings} onTryAgain={ask}>
        {(value) => <DoneForm settings={value} startAtLogin={props.startAtLogin} onDone={props.onDone} />}
      </LoadedView>
      <button type="button" class="plain step-back" onClick={props.onBack}>
        <Icon name="back" />
        {setUp.stepBack}
      </button>
    </section>
  );
}

function DoneForm(props: {
  readonly settings: SettingsView;
  readonly startAtLogin: boolean;
  readonly onDone: () => void;
}): JSX.Element {
  const { settings, onDone } = props;
  const texts = useTexts().setUp.done;
  const [startAtLogin, setStartAtLogin] = useState(props.startAtLogin);
  const [draft, setDraft] = useState<PaceDraft>(() =>
    paceDraft(settings.pace, new Intl.DateTimeFormat().resolvedOptions().timeZone),
  );
  const [isTried, setTried] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const read = readPace(draft);

  const finish = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (!read.ok) {
      focusFirst([read.faults.includes('days') ? 'pace-day-1' : 'pace-from']);
      return;
    }
    // Before the first mail can leave.
    const saved = await saveSettings({ ...settings, pace: read.pace, startAtLogin });
    if (!saved.ok) {
      setTrouble(saved.text);
      return;
    }
    const answer = await request('finish-set-up', { startAtLogin });
    if (answer.ok) onDone();
    else setTrouble(answer.error.text);
  };

  return (
    <form class="form" noValidate onSubmit={finish}>
      <HoursFields
        draft={draft}
        faults={isTried && !read.ok ? read.faults : []}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
      <label class="check">
        <input
          id="start-at-login"
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
  );
}
