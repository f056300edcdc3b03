import type { Language } from '../../src/shared/texts/language.ts';
import type { ChaosPlan } from './chaos.ts';
import type { DemoFolder } from './folder.ts';
import type { DemoTexts } from './texts.ts';

export type StageOptions = {
  readonly folder: DemoFolder;
  readonly language: Language;
  readonly shell: 'window' | 'terminal';
  readonly plan: ChaosPlan | null;
  readonly pace: { readonly gapMinMs: number; readonly gapMaxMs: number };
  readonly texts: DemoTexts;
  readonly say: (text: string) => void;
  /** Takes every part that was started, to be ended in reverse order. */
  readonly ending: AsyncDisposableStack;
  readonly stop: AbortSignal;
  /** Cuts the end of the agent short. */
  readonly hurry: AbortSignal;
};
