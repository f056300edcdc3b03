import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SettingsView } from '../../../shared/ipc/views.ts';
import { focusFirst } from '../../parts/field.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Page } from '../../parts/page.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { useTexts } from '../../texts.ts';
import { useRequest } from '../../use-request.ts';
import { HoursFields } from './hours-fields.tsx';
import { NumberField } from './number-field.tsx';
import { type CountField, type PaceDraft, type PaceFault, paceDraft, readPace } from './pace-draft.ts';
import { type SaveOutcome, saveSettings } from './save-settings.ts';

export function PacePage(props: { readonly onBack: () => void }): JSX.Element {
  const { settings: texts } = useTexts();
  const [settings, ask] = useRequest('settings', null);
  return (
    <Page title={texts.pace.title} onBack={props.onBack}>
      <LoadedView loaded={settings} onTryAgain={ask}>
        {(value) => <PaceForm settings={value} />}
      </LoadedView>
    </Page>
  );
}

const FAULT_FIELDS: Record<PaceFault, string> = {
  gap: 'pace-gap-from',
  limit: 'pace-per-minute',
  ramp: 'pace-ramp-up',
  pause: 'pace-equal-errors',
  hours: 'pace-from',
  days: 'pace-day-1',
};

/** Pauses, limits and hours; saved together, because they are judged together. */
function PaceForm(props: { readonly settings: SettingsView }): JSX.Element {
  const { settings: all } = useTexts();
  const texts = all.pace;
  const [draft, setDraft] = useState<PaceDraft>(() =>
    paceDraft(props.settings.pace, new Intl.DateTimeFormat().resolvedOptions().timeZone),
  );
  const [isTried, setTried] = useState(false);
  const [outcome, setOutcome] = useState<SaveOutcome | null>(null);
  const read = readPace(draft);
  const faults: readonly PaceFault[] = isTried && !read.ok ? read.faults : [];
  const change = (part: Partial<PaceDraft>): void => {
    setOutcome(null);
    setDraft({ ...draft, ...part });
  };
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTried(true);
    setOutcome(null);
    if (read.ok) setOutcome(await saveSettings({ ...props.settings, pace: read.pace }));
    else focusFirst(read.faults.map((fault) => FAULT_FIELDS[fault]));
  };
  const number = (id: string, label: string, name: CountField | 'gapFrom' | 'gapTo', fault: PaceFault) => (
    <NumberField
      id={id}
      label={label}
      value={draft[name]}
      isWrong={faults.includes(fault)}
      onInput={(value) => change({ [name]: value })}
    />
  );
  const { provider } = props.settings;
  return (
    <form class="form" onSubmit={save} noValidate>
      <p class="quiet">{texts.intro}</p>
      <fieldset aria-describedby={faults.includes('gap') ? 'pace-gap-wrong' : undefined}>
        <legend>{texts.gap}</legend>
        <div class="numbers-row">
          {number('pace-gap-from', texts.gapFrom, 'gapFrom', 'gap')}
          {number('pace-gap-to', texts.gapTo, 'gapTo', 'gap')}
        </div>
        {faults.includes('gap') && (
          <p id="pace-gap-wrong" class="hint wrong">
            {texts.wrongGap}
          </p>
        )}
      </fieldset>
      <fieldset aria-describedby="pace-limits-note">
        <legend>{texts.limits}</legend>
        <div class="numbers-row">
          {number('pace-per-minute', texts.perMinute, 'perMinute', 'limit')}
          {number('pace-per-hour', texts.perHour, 'perHour', 'limit')}
          {number('pace-per-day', texts.perDay, 'perDay', 'limit')}
        </div>
        <div class="numbers-row wide">
          {number('pace-per-domain', texts.perHourPerDomain, 'perHourPerDomain', 'limit')}
        </div>
        <p id="pace-limits-note" class={faults.includes('limit') ? 'hint wrong' : 'hint'}>
          {faults.includes('limit') ? texts.wrongLimit : texts.limitsHint}
        </p>
        {provider !== null && <p class="hint">{texts.providerAllows(provider.name, provider.allows)}</p>}
      </fieldset>
      <fieldset aria-describedby="pace-ramp-note">
        <legend>{texts.ramp}</legend>
        <div class="numbers-row wide">{number('pace-ramp-up', texts.rampUpDays, 'rampUpDays', 'ramp')}</div>
        <p id="pace-ramp-note" class={faults.includes('ramp') ? 'hint wrong' : 'hint'}>
          {faults.includes('ramp') ? texts.wrongRamp : texts.rampHint}
        </p>
      </fieldset>
      <HoursFields draft={draft} faults={faults} onChange={change} />
      <fieldset aria-describedby="pace-pause-note">
        <legend>{texts.autoPause}</legend>
        <div class="numbers-row wide">
          {number('pace-equal-errors', texts.equalErrors, 'equalErrors', 'pause')}
          {number('pace-refused', texts.refusedPercent, 'refusedPercent', 'pause')}
        </div>
        <p id="pace-pause-note" class={faults.includes('pause') ? 'hint wrong' : 'hint'}>
          {faults.includes('pause') ? texts.wrongPause : texts.pauseHint}
        </p>
      </fieldset>
      {outcome !== null && !outcome.ok && <Trouble title={all.notSaved} text={outcome.text} quote={outcome.quote} />}
      <div class="actions">
        <button type="submit" class="primary">
          {texts.save}
        </button>
        <span role="status" class="quiet">
          {outcome?.ok === true ? all.saved : ''}
        </span>
      </div>
    </form>
  );
}
