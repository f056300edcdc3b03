import { openLedger } from '../../src/main/adapters/sqlite/open-ledger.ts';
import { openSecrets } from '../../src/main/headless/open.ts';
import { AppChoices } from '../../src/shared/settings.ts';
import type { Language } from '../../src/shared/texts/language.ts';
import { type DesktopProgram, prepareDesktop } from '../desktop-program.ts';
import type { DemoTexts } from './texts.ts';

/** The desktop app for this data folder; null, said why, where it cannot keep a secret here or cannot be had. */
export async function provideWindow(
  data: string,
  { texts, say }: { readonly texts: DemoTexts; readonly say: (text: string) => void },
): Promise<DesktopProgram | null> {
  const asked = await openSecrets({ secretFile: null, folder: data }).get('agent-token');
  if (!asked.ok && asked.error.kind !== 'missing') {
    say(texts.noWindow(asked.error.text));
    return null;
  }
  say(texts.preparingWindow);
  try {
    const program = await prepareDesktop();
    for (const remark of program.remarks) say(remark);
    return program;
  } catch (error) {
    say(texts.noWindow(error instanceof Error ? error.message : String(error)));
    return null;
  }
}

/** Marks what the command line has set up as set up for the window too: it opens at what it sends. */
export function finishSetUp(data: string, language: Language): void {
  const opened = openLedger({ folder: data });
  if (!opened.ok) throw new Error(opened.error.text);
  const { ledger } = opened.value;
  const value = AppChoices.parse({ language, startAtLogin: false, setUpDone: true });
  const written = ledger.commit([{ kind: 'setting', key: 'app', value }]);
  ledger.close();
  if (!written.ok) throw new Error(`the settings of the window were not stored: ${written.error.kind}`);
}

/** Takes the demo's secrets out of the person's keychain again. */
export async function forgetSecrets(data: string): Promise<void> {
  const secrets = openSecrets({ secretFile: null, folder: data });
  for (const name of ['agent-token', 'smtp-password'] as const) await secrets.delete(name);
}
