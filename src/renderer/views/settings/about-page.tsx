import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { request } from '../../bridge.ts';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Page } from '../../parts/page.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { useTexts } from '../../texts.ts';
import { useRequest } from '../../use-request.ts';
import { Licences } from './licences.tsx';

/** What runs here, where its data lies, and what support needs. */
export function AboutPage(props: { readonly onBack: () => void }): JSX.Element {
  const { frame, settings } = useTexts();
  const texts = settings.aboutPage;
  const [about, ask] = useRequest('about', null);
  return (
    <Page title={texts.title} onBack={props.onBack}>
      <LoadedView loaded={about} onTryAgain={ask}>
        {(value) => (
          <>
            <dl class="facts">
              <dt>{texts.version}</dt>
              <dd class="numbers">{`${frame.appName} ${value.version}`}</dd>
              <dt>{texts.runsOn}</dt>
              <dd>
                {`${value.platform} · Electron ${value.electron} · Chromium ${value.chromium} · Node ${value.node}`}
              </dd>
              <dt>{texts.dataFolder}</dt>
              <dd class="breaks code">{value.dataFolder}</dd>
            </dl>
            <Support />
            <Licences />
          </>
        )}
      </LoadedView>
    </Page>
  );
}

function Support(): JSX.Element {
  const { settings } = useTexts();
  const texts = settings.aboutPage;
  const [said, setSaid] = useState('');
  const [trouble, setTrouble] = useState<string | null>(null);
  const openFolder = async (): Promise<void> => {
    const answer = await request('open-data-folder', null);
    setSaid('');
    setTrouble(answer.ok ? null : answer.error.text);
  };
  const exportLog = async (): Promise<void> => {
    const answer = await request('export-log', null);
    setTrouble(answer.ok ? null : answer.error.text);
    // Null: the person closed the dialogue without choosing a place.
    setSaid(answer.ok && answer.value !== null ? texts.exported(answer.value.file) : '');
  };
  const copy = async (): Promise<void> => {
    const answer = await request('copy-diagnostics', null);
    setTrouble(answer.ok ? null : answer.error.text);
    setSaid(answer.ok ? texts.copied : '');
  };
  return (
    <>
      <div class="actions">
        <button type="button" onClick={() => void openFolder()}>
          {texts.openDataFolder}
        </button>
      </div>
      <section aria-labelledby="support">
        <h2 id="support">{texts.support}</h2>
        <p class="quiet">{texts.supportText}</p>
        <div class="actions stack">
          <button type="button" onClick={() => void exportLog()}>
            {texts.exportLog}
          </button>
          <button type="button" onClick={() => void copy()}>
            {texts.copyDiagnostics}
          </button>
        </div>
        <p role="status" class="breaks">
          {said}
        </p>
        {trouble !== null && <Trouble title={null} text={trouble} quote={null} />}
      </section>
    </>
  );
}
