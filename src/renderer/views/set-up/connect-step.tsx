import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SetUpView } from '../../../shared/ipc/views.ts';
import { Good } from '../../parts/good.tsx';
import { useTexts } from '../../texts.ts';
import { ConnectForm } from './connect-form.tsx';
import type { Draft } from './draft.ts';
import { StepHead } from './step-head.tsx';

export function ConnectStep(props: {
  readonly pairing: SetUpView['pairing'];
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly onConnected: () => void;
  readonly onNext: () => void;
}): JSX.Element {
  const { pairing, draft, onDraft, onConnected, onNext } = props;
  const texts = useTexts().setUp.connect;
  const [isAgain, setAgain] = useState(false);
  const form = (
    <ConnectForm
      cloudUrl={draft.cloudUrl}
      onCloudUrl={(cloudUrl) => onDraft({ ...draft, cloudUrl })}
      onConnected={() => {
        setAgain(false);
        onConnected();
        onNext();
      }}
    />
  );
  return (
    <section class="step">
      <StepHead step={1} title={texts.title} text={texts.intro} />
      {pairing === null ? (
        form
      ) : (
        <>
          <Good text={texts.connected(pairing.userName, pairing.cloudUrl)} />
          {isAgain && form}
          <div class="actions">
            <button type="button" class={isAgain ? '' : 'primary'} onClick={onNext}>
              {texts.next}
            </button>
            {!isAgain && (
              <button type="button" onClick={() => setAgain(true)}>
                {texts.again}
              </button>
            )}
          </div>
        </>
      )}
    </section>
  );
}
