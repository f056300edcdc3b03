import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SettingsView as Settings, SetUpView } from '../../../shared/ipc/views.ts';
import { LANGUAGES } from '../../../shared/texts/language.ts';
import { Field } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { Page } from '../../parts/page.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import type { Detail } from '../../route.ts';
import { useTexts } from '../../texts.ts';
import { useRequest } from '../../use-request.ts';
import { type SaveOutcome, saveSettings } from './save-settings.ts';

type Ways = { readonly onOpen: (detail: Detail) => void };

/** Choices that hold at once, and ways to the pages of the others. */
export function SettingsView(ways: Ways): JSX.Element {
  const { settings: texts } = useTexts();
  const [settings, ask] = useRequest('settings', null);
  const [setUp, askSetUp] = useRequest('set-up', null);
  return (
    <Page title={texts.title}>
      <LoadedView loaded={settings} onTryAgain={ask}>
        {(value) => (
          <>
            <General settings={value} onSaved={ask} />
            <LoadedView loaded={setUp} onTryAgain={askSetUp}>
              {(known) => <Pages settings={value} setUp={known} onOpen={ways.onOpen} />}
            </LoadedView>
          </>
        )}
      </LoadedView>
    </Page>
  );
}

function General(props: { readonly settings: Settings; readonly onSaved: () => void }): JSX.Element {
  const { settings, onSaved } = props;
  const { settings: texts } = useTexts();
  const [outcome, setOutcome] = useState<SaveOutcome | null>(null);
  const save = async (next: Settings): Promise<void> => {
    setOutcome(await saveSettings(next));
    onSaved();
  };
  return (
    <section aria-labelledby="general" class="form">
      <h2 id="general">{texts.general}</h2>
      <Field id="language" label={texts.language}>
        {(described) => (
          <select
            {...described}
            value={settings.language}
            onChange={(event) => void save({ ...settings, language: readLanguage(event.currentTarget.value) })}
          >
            {(['system', ...LANGUAGES] as const).map((language) => (
              <option key={language} value={language}>
                {texts.languages[language]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <label class="check">
        <input
          type="checkbox"
          checked={settings.startAtLogin}
          onChange={(event) => void save({ ...settings, startAtLogin: event.currentTarget.checked })}
        />
        <span>
          {texts.startAtLogin}
          <span class="hint">{texts.startAtLoginHint}</span>
        </span>
      </label>
      <p role="status" class="quiet heard-when-empty">
        {outcome?.ok === true ? texts.saved : ''}
      </p>
      {outcome !== null && !outcome.ok && <Trouble title={texts.notSaved} text={outcome.text} quote={outcome.quote} />}
    </section>
  );
}

const readLanguage = (text: string): Settings['language'] =>
  LANGUAGES.find((language) => language === text) ?? 'system';

function Pages(props: Ways & { readonly settings: Settings; readonly setUp: SetUpView }): JSX.Element {
  const { settings, setUp, onOpen } = props;
  const { settings: texts, proxy } = useTexts();
  const { perHour, perDay } = settings.pace;
  const entries: readonly { readonly detail: Detail; readonly name: string; readonly value: string }[] = [
    { detail: { kind: 'account' }, name: texts.account, value: setUp.account?.address ?? texts.noAccount },
    { detail: { kind: 'pace' }, name: texts.pace.title, value: texts.pace.summary(perHour, perDay) },
    { detail: { kind: 'connection' }, name: texts.connection, value: setUp.pairing?.cloudUrl ?? texts.notConnected },
    { detail: { kind: 'proxy' }, name: proxy.title, value: '' },
    { detail: { kind: 'about' }, name: texts.about, value: '' },
  ];
  return (
    <ul class="entries">
      {entries.map(({ detail, name, value }) => (
        <li key={detail.kind}>
          <button type="button" id={`to-${detail.kind}`} class="plain entry" onClick={() => onOpen(detail)}>
            <span class="entry-text">
              <span class="strong">{name}</span>
              {value !== '' && <span class="one-line quiet">{value}</span>}
            </span>
            <Icon name="forward" />
          </button>
        </li>
      ))}
    </ul>
  );
}
