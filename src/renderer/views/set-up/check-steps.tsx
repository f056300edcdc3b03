import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CHECK_STEPS, type CheckProgress } from '../../../shared/account-check.ts';
import { listen } from '../../bridge.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { useTexts } from '../../texts.ts';

const MARKS: Record<CheckProgress['state'], { readonly icon: IconName; readonly tone: string }> = {
  running: { icon: 'clock', tone: 'busy' },
  done: { icon: 'check', tone: 'good' },
  failed: { icon: 'cross', tone: 'bad' },
  unclear: { icon: 'question', tone: 'ask' },
};

/** The steps of a check that runs or has run, the newest state of each; `clear` before the next one. */
export function useCheckSteps(): {
  readonly steps: readonly CheckProgress[];
  /** The same, also for one who waited meanwhile. */
  readonly found: () => readonly CheckProgress[];
  readonly clear: () => void;
} {
  const [steps, setSteps] = useState<readonly CheckProgress[]>([]);
  const latest = useRef(steps);
  const set = (next: readonly CheckProgress[]): void => {
    latest.current = next;
    setSteps(next);
  };
  useEffect(
    () =>
      listen('account-check', (progress) => {
        // A step that still runs when the next one comes had nothing to tell: behind a proxy no name is looked up here.
        const before = latest.current.filter(({ step, state }) => step !== progress.step && state !== 'running');
        set([...before, progress]);
      }),
    [],
  );
  return { steps, found: () => latest.current, clear: () => set([]) };
}

/** What the live check has found so far, step by step. */
export function CheckSteps(props: { readonly steps: readonly CheckProgress[] }): JSX.Element | null {
  const { check, checkStates, checkSteps } = useTexts().setUp.account;
  const list = useRef<HTMLOListElement>(null);
  const isRunning = props.steps.some(({ state }) => state === 'running');
  useEffect(() => {
    // What happens now would happen below the edge of a small window.
    if (isRunning) list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' });
  }, [props.steps]);
  const shown = CHECK_STEPS.flatMap((step) => props.steps.find((one) => one.step === step) ?? []);
  if (shown.length === 0) return null;
  return (
    <ol class="check-steps" aria-label={check} ref={list}>
      {shown.map(({ step, state, text }) => (
        <li key={step}>
          <span class={`mark tone-${MARKS[state].tone}`}>
            <Icon name={MARKS[state].icon} />
            <span class="mark-word">{checkStates[state]}</span>
          </span>
          <span>
            {checkSteps[step]}
            {text !== '' && state !== 'failed' && <span class="hint">{text}</span>}
          </span>
        </li>
      ))}
    </ol>
  );
}
