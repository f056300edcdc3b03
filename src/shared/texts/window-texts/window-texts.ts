import type { Language } from '../language.ts';
import { MAIL_STATE_TEXTS, type MailStateName } from '../state-texts.ts';
import { FRAME_TEXTS, type FrameTexts } from './frame-texts.ts';
import { MAILS_TEXTS, type MailsTexts } from './mails-texts.ts';
import { NEEDS_YOU_TEXTS, type NeedsYouTexts } from './needs-you-texts.ts';
import { PROXY_PAGE_TEXTS, type ProxyPageTexts } from './proxy-page-texts.ts';
import { SET_UP_TEXTS, type SetUpTexts } from './set-up-texts.ts';
import { SETTINGS_TEXTS, type SettingsTexts } from './settings-texts.ts';
import { TODAY_TEXTS, type TodayTexts } from './today-texts.ts';

/** Everything the window says, in one language. */
export type WindowTexts = {
  readonly language: Language;
  readonly frame: FrameTexts;
  readonly mailState: Record<MailStateName, string>;
  readonly setUp: SetUpTexts;
  readonly today: TodayTexts;
  readonly mails: MailsTexts;
  readonly needsYou: NeedsYouTexts;
  readonly settings: SettingsTexts;
  readonly proxy: ProxyPageTexts;
};

export const windowTexts = (language: Language): WindowTexts => ({
  language,
  frame: FRAME_TEXTS[language],
  mailState: MAIL_STATE_TEXTS[language],
  setUp: SET_UP_TEXTS[language],
  today: TODAY_TEXTS[language],
  mails: MAILS_TEXTS[language],
  needsYou: NEEDS_YOU_TEXTS[language],
  settings: SETTINGS_TEXTS[language],
  proxy: PROXY_PAGE_TEXTS[language],
});
