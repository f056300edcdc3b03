import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SetUpView } from '../../../shared/ipc/views.ts';
import { Good } from '../../parts/good.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts.ts';
import { useRequest } from '../../use-request.ts';
import { draftOf } from '../set-up/account-draft.ts';
import { AccountForm } from '../set-up/account-form.tsx';
import { type Draft, readDraft } from '../set-up/draft.ts';

/** The mail account, to look at and to change; a change is checked live before it is kept. */
export function AccountPage(props: { readonly onBack: () => void }): JSX.Element {
  const { settings: texts } = useTexts();
  const [setUp, ask] = useRequest('set-up', null);
  return (
    <Page title={texts.account} onBack={props.onBack}>
      <LoadedView loaded={setUp} onTryAgain={ask}>
        {(value) => <Account account={value.account} />}
      </LoadedView>
    </Page>
  );
}

function Account(props: { readonly account: SetUpView['account'] }): JSX.Element {
  const { account } = props;
  const { settings: texts, setUp } = useTexts();
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = readDraft(localStorage);
    return account === null ? kept : draftOf(account, kept);
  });
  const [saved, setSaved] = useState<string | null>(null);
  return (
    <>
      {saved !== null && (
        <div role="status">
          <Good text={setUp.account.works(saved)} />
        </div>
      )}
      {saved === null && account !== null && (
        <p class="quiet">
          {texts.secret[account.login === 'password' ? 'password' : 'sign-in'][account.hasSecret ? 'kept' : 'missing']}
        </p>
      )}
      <AccountForm
        draft={draft}
        onDraft={setDraft}
        kept={account?.hasSecret === true ? account : null}
        onSaved={setSaved}
      />
    </>
  );
}
