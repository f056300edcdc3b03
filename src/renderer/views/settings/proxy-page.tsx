import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { CheckOutcome, ProxyView } from '../../../shared/ipc/views.ts';
import { request } from '../../bridge.ts';
import { Field, focusFirst } from '../../parts/field.tsx';
import { Good } from '../../parts/good.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Page } from '../../parts/page.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { useTexts } from '../../texts.ts';
import { useRequest } from '../../use-request.ts';
import { PROXY_KINDS, type ProxyDraft, type ProxyFault, proxyDraft, readProxy, usualMailRoute } from './proxy-draft.ts';
import { ProxyFields } from './proxy-fields.tsx';

/** The way to cloud and mail servers, to look at and to change; another one is tried before it is kept. */
export function ProxyPage(props: { readonly onBack: () => void }): JSX.Element {
  const { proxy: texts } = useTexts();
  const [proxy, ask] = useRequest('proxy', null);
  return (
    <Page title={texts.title} onBack={props.onBack}>
      <LoadedView loaded={proxy} onTryAgain={ask}>
        {(value) => <ProxyForm view={value} />}
      </LoadedView>
    </Page>
  );
}

const FAULT_FIELDS: Record<ProxyFault, string> = {
  url: 'proxy-url',
  host: 'proxy-host',
  port: 'proxy-port',
  'user-name': 'proxy-user-name',
};

function ProxyForm(props: { readonly view: ProxyView }): JSX.Element {
  const { proxy: texts } = useTexts();
  const [draft, setDraft] = useState<ProxyDraft>(() => proxyDraft(props.view.proxy));
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<CheckOutcome | null>(null);
  const read = readProxy(draft);
  const change = (part: Partial<ProxyDraft>): void => {
    setOutcome(null);
    setDraft({ ...draft, ...part });
  };
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTried(true);
    setOutcome(null);
    if (!read.ok) return focusFirst(read.faults.map((fault) => FAULT_FIELDS[fault]));
    setBusy(true);
    const answer = await request('save-proxy', { proxy: read.proxy, password: draft.password });
    setBusy(false);
    setOutcome(answer.ok ? answer.value : { ok: false, text: answer.error.text, quote: null });
  };
  return (
    <form class="form" onSubmit={save} noValidate>
      <p class="quiet">{texts.intro}</p>
      <Field id="proxy-kind" label={texts.way}>
        {(described) => (
          <select
            {...described}
            value={draft.kind}
            onChange={(event) => {
              const kind = PROXY_KINDS.find((one) => one === event.currentTarget.value) ?? 'system';
              change({ kind, mail: usualMailRoute(kind) });
            }}
          >
            {PROXY_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {texts.kind[kind]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <ProxyFields
        draft={draft}
        faults={isTried && !read.ok ? read.faults : []}
        isPasswordKept={props.view.hasPassword}
        onChange={change}
      />
      {outcome !== null && !outcome.ok && <Trouble title={texts.notSaved} text={outcome.text} quote={outcome.quote} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? texts.trying : texts.save}
        </button>
      </div>
      <div role="status">{outcome?.ok === true && <Good text={texts.saved} />}</div>
    </form>
  );
}
