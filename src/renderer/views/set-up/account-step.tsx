import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { AccountView } from '../../../shared/ipc/views.ts';
import { Good } from '../../parts/good.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useTexts } from '../../texts.ts';
import { AccountForm } from './account-form.tsx';
import type { Draft } from './draft.ts';
import { StepHead } from './step-head.tsx';

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
  const isSaved = account?.hasSecret === true && !isChanging;
  return (
    <section class="step">
      <StepHead step={2} title={texts.title} text={texts.intro} />
      {isSaved ? (
        <>
          <Good text={texts.worksAlready(account.address)} />
          <div class="actions">
            <button type="button" class="primary" onClick={onNext}>
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
          onSaved={() => {
            setChanging(false);
            onSaved();
            onNext();
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
