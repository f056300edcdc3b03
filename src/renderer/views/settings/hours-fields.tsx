import type { JSX } from 'preact';
import { useTexts } from '../../texts.ts';
import type { PaceDraft, PaceFault } from './pace-draft.ts';

/** The working hours: on or off, from when to when, on which days. */
export function HoursFields(props: {
  readonly draft: PaceDraft;
  readonly faults: readonly PaceFault[];
  readonly onChange: (part: Partial<PaceDraft>) => void;
}): JSX.Element {
  const { draft, faults, onChange } = props;
  const texts = useTexts().settings.pace;
  const wrong = [
    ...(faults.includes('hours') ? [texts.wrongHours] : []),
    ...(faults.includes('days') ? [texts.wrongDays] : []),
  ].join(' ');
  const time = (id: string, label: string, name: 'from' | 'to') => (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="time"
        required
        aria-invalid={faults.includes('hours')}
        value={draft[name]}
        onInput={(event) => onChange({ [name]: event.currentTarget.value })}
      />
    </div>
  );
  return (
    <fieldset aria-describedby="pace-hours-note">
      <legend>{texts.hours}</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={draft.hoursOn}
          onChange={(event) => onChange({ hoursOn: event.currentTarget.checked })}
        />
        <span>{texts.hoursOn}</span>
      </label>
      {draft.hoursOn && (
        <>
          <div class="numbers-row">
            {time('pace-from', texts.from, 'from')}
            {time('pace-to', texts.to, 'to')}
          </div>
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset of its own would draw a second frame */}
          <div class="days" role="group" aria-label={texts.days}>
            {texts.dayNames.map((name, index) => (
              <Day key={name} day={index + 1} name={name} days={draft.days} onDays={(days) => onChange({ days })} />
            ))}
          </div>
          <div class="field">
            <label for="pace-time-zone">{texts.timeZone}</label>
            <select
              id="pace-time-zone"
              value={draft.timeZone}
              onChange={(event) => onChange({ timeZone: event.currentTarget.value })}
            >
              {timeZones(draft.timeZone).map((zone) => (
                <option key={zone} value={zone}>
                  {zone}
                </option>
              ))}
            </select>
          </div>
        </>
      )}
      <p id="pace-hours-note" class={wrong === '' ? 'hint' : 'hint wrong'}>
        {wrong}
      </p>
    </fieldset>
  );
}

/** Every zone this computer knows, and the chosen one under whatever name it was stored. */
function timeZones(chosen: string): readonly string[] {
  const known = Intl.supportedValuesOf('timeZone');
  return known.includes(chosen) ? known : [chosen, ...known];
}

function Day(props: {
  readonly day: number;
  readonly name: string;
  readonly days: readonly number[];
  readonly onDays: (days: readonly number[]) => void;
}): JSX.Element {
  const { day, name, days, onDays } = props;
  const isOn = days.includes(day);
  return (
    <label class="day">
      <input
        id={`pace-day-${day}`}
        type="checkbox"
        checked={isOn}
        onChange={() => onDays(isOn ? days.filter((other) => other !== day) : [...days, day])}
      />
      <span>{name}</span>
    </label>
  );
}
