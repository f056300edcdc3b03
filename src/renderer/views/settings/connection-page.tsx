import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Good } from '../../parts/good.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Page } from '../../parts/page.tsx';
import { useTexts } from '../../texts.ts';
import { useRequest } from '../../use-request.ts';
import { ConnectForm } from '../set-up/connect-form.tsx';

/** Which cloud this computer belongs to, and a new code where it no longer knows us. */
export function ConnectionPage(props: { readonly onBack: () => void }): JSX.Element {
  const { settings: texts, setUp: setUpTexts } = useTexts();
  const [setUp, ask] = useRequest('set-up', null);
  const [isAgain, setAgain] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Page title={texts.connection} onBack={props.onBack}>
      <LoadedView loaded={setUp} onTryAgain={ask}>
        {({ pairing }) => (
          <>
            {pairing !== null && (
              <div role="status">
                <Good text={setUpTexts.connect.connected(pairing.userName, pairing.cloudUrl)} />
              </div>
            )}
            {pairing === null || isAgain ? (
              <ConnectForm
                cloudUrl={typed ?? pairing?.cloudUrl ?? ''}
                onCloudUrl={setTyped}
                onConnected={() => {
                  setAgain(false);
                  setTyped(null);
                  ask();
                }}
              />
            ) : (
              <div class="actions">
                <button type="button" onClick={() => setAgain(true)}>
                  {setUpTexts.connect.again}
                </button>
              </div>
            )}
          </>
        )}
      </LoadedView>
    </Page>
  );
}
