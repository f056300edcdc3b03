import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CheckProgress } from '../../../shared/account-check.ts';
import type { AccountView } from '../../../shared/ipc/views.ts';
import { Good } from '../../parts/good.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useTexts } from '../../texts.ts';
import { AccountForm } from './account-form.tsx';
import { CheckSteps } from './check-steps.tsx';
import type { Draft } from './draft.ts';
import { StepHead } from './step-head.tsx';

const NEXT_ID = 'account-next';

export function AccountStep(props: {
  readonly account: AccountView | null;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly onSaved: () => void;
  readonly onBack: () => void;
  readonly onNext: () => void;
}): JSX.Element {
  const { account, draft, onDraft, onSaved, onBack, onNext } = props;
  const { setUp } = useTexts();
  const texts = setUp.account;
  const [isChanging, setChanging] = useState(false);
  const [found, setFound] = useState<readonly CheckProgress[]>([]);
  const isSaved = account?.hasSecret === true && !isChanging;
  // The form that had the focus is gone.
  useEffect(() => {
    if (isSaved && found.length > 0) document.getElementById(NEXT_ID)?.focus();
  }, [isSaved]);
  return (
    <section class="step">
      <StepHead step={2} title={texts.title} text={texts.intro} />
      {isSaved ? (
        <>
          <Good text={texts.worksAlready(account.address)} />
          <CheckSteps steps={found} />
          <div class="actions">
            <button type="button" id={NEXT_ID} class="primary" onClick={onNext}>
              {texts.next}
            </button>
            <button type="button" onClick={() => setChanging(true)}>
              {texts.change}
            </button>
          </div>
        </>
      ) : (
        <AccountForm
          draft={draft}
          onDraft={onDraft}
          kept={account?.hasSecret === true ? account : null}
          onSaved={(_, steps) => {
            setChanging(false);
            setFound(steps);
            onSaved();
            // What the test mail showed is to be read before it goes on.
            if (steps.length === 0) onNext();
          }}
        />
      )}
      <button type="button" class="plain step-back" onClick={onBack}>
        <Icon name="back" />
        {setUp.stepBack}
      </button>
    </section>
  );
}
