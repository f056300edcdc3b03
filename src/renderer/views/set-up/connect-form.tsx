import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { CheckOutcome } from '../../../shared/ipc/views.ts';
import { request } from '../../bridge.ts';
import { Field, focusFirst } from '../../parts/field.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { useTexts } from '../../texts.ts';
import { readCloudUrl, readPairLink } from './pair-link.ts';

/** Cloud address and pairing code, or one pasted link that holds both. */
export function ConnectForm(props: {
  readonly cloudUrl: string;
  readonly onCloudUrl: (text: string) => void;
  readonly onConnected: () => void;
}): JSX.Element {
  const { cloudUrl, onCloudUrl, onConnected } = props;
  const texts = useTexts().setUp.connect;
  const [code, setCode] = useState('');
  const [isLinkTaken, setLinkTaken] = useState(false);
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<CheckOutcome | null>(null);

  const takeText = (text: string): void => {
    const link = readPairLink(text);
    setLinkTaken(link !== null);
    onCloudUrl(link?.cloudUrl ?? text);
    if (link !== null) setCode(link.code);
  };
  const origin = readCloudUrl(cloudUrl);
  const isCodeMissing = code.trim() === '';

  const connect = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTried(true);
    const wrong = [...(origin === null ? ['connect-address'] : []), ...(isCodeMissing ? ['connect-code'] : [])];
    focusFirst(wrong);
    if (origin === null || isCodeMissing || isBusy) return;
    setBusy(true);
    setOutcome(null);
    const answer = await request('pair', { cloudUrl: origin, code: code.trim() });
    setBusy(false);
    if (answer.ok && answer.value.ok) onConnected();
    else setOutcome(answer.ok ? answer.value : { ok: false, text: answer.error.text, quote: null });
  };

  return (
    <form class="form" onSubmit={connect} noValidate>
      <Field
        id="connect-address"
        label={texts.address}
        hint={isLinkTaken ? texts.linkTaken : texts.addressHint}
        wrong={isTried && origin === null ? texts.addressWrong : null}
      >
        {(described) => (
          <input
            {...described}
            type="text"
            inputMode="url"
            autoComplete="off"
            spellcheck={false}
            value={cloudUrl}
            onInput={(event) => takeText(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field
        id="connect-code"
        label={texts.code}
        hint={texts.codeHint}
        wrong={isTried && isCodeMissing ? texts.codeMissing : null}
      >
        {(described) => (
          <input
            {...described}
            type="text"
            class="code"
            autoComplete="off"
            spellcheck={false}
            value={code}
            onInput={(event) => setCode(event.currentTarget.value)}
          />
        )}
      </Field>
      {outcome !== null && !outcome.ok && <Trouble title={null} text={outcome.text} quote={outcome.quote} />}
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {texts.connect}
        </button>
        <span role="status" class="quiet">
          {isBusy ? texts.connecting : ''}
        </span>
      </div>
    </form>
  );
}
