import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SetUpView as SetUp } from '../../../shared/ipc/views.ts';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts.ts';
import { useRequest } from '../../use-request.ts';
import { draftOf } from './account-draft.ts';
import { AccountStep } from './account-step.tsx';
import { ConnectStep } from './connect-step.tsx';
import { DoneStep } from './done-step.tsx';
import { type Draft, dropDraft, keepDraft, readDraft } from './draft.ts';
import { STEP_HEADING_ID } from './step-head.tsx';

type Step = 1 | 2 | 3;

/** From a fresh install to the first mail, in three steps that can each be gone back to. */
export function SetUpView(props: { readonly onDone: () => void }): JSX.Element {
  const { setUp: texts } = useTexts();
  const [setUp, ask] = useRequest('set-up', null);
  return (
    <Page title={texts.title}>
      <LoadedView loaded={setUp} onTryAgain={ask}>
        {(value) => <Steps setUp={value} onChanged={ask} onDone={props.onDone} />}
      </LoadedView>
    </Page>
  );
}

const firstOpenStep = (setUp: SetUp): Step => (setUp.pairing === null ? 1 : setUp.account === null ? 2 : 3);

function Steps(props: {
  readonly setUp: SetUp;
  readonly onChanged: () => void;
  readonly onDone: () => void;
}): JSX.Element {
  const { setUp, onChanged, onDone } = props;
  const { setUp: texts } = useTexts();
  const [step, setStep] = useState<Step>(() => firstOpenStep(setUp));
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = readDraft(localStorage);
    return setUp.account !== null && kept.address === '' ? draftOf(setUp.account, kept) : kept;
  });
  const change = (next: Draft): void => {
    keepDraft(localStorage, next);
    setDraft(next);
  };
  useFocusOnStep(step);
  return (
    <>
      <ol class="steps" aria-label={texts.stepsLabel}>
        {texts.steps.map((name, index) => (
          <li key={name} aria-current={index + 1 === step ? 'step' : undefined} class={index + 1 < step ? 'past' : ''}>
            {name}
          </li>
        ))}
      </ol>
      {step === 1 && (
        <ConnectStep
          pairing={setUp.pairing}
          draft={draft}
          onDraft={change}
          onConnected={onChanged}
          onNext={() => setStep(2)}
        />
      )}
      {step === 2 && (
        <AccountStep
          account={setUp.account}
          draft={draft}
          onDraft={change}
          onSaved={onChanged}
          onBack={() => setStep(1)}
          onNext={() => setStep(3)}
        />
      )}
      {step === 3 && (
        <DoneStep
          startAtLogin={setUp.startAtLogin ?? true}
          onBack={() => setStep(2)}
          onDone={() => {
            dropDraft(localStorage);
            onDone();
          }}
        />
      )}
    </>
  );
}

/** The step's heading takes the focus when the step changes, not when the view opens. */
function useFocusOnStep(step: Step): void {
  const before = useRef(step);
  useEffect(() => {
    if (before.current !== step) document.getElementById(STEP_HEADING_ID)?.focus();
    before.current = step;
  }, [step]);
}
