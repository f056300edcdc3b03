import type { MailKind } from '../../../shared/ipc/views.ts';
import { MAIL_FILTERS, type MailFilter } from '../../../shared/texts/window-texts/mails-texts.ts';

const KINDS: Record<MailFilter, readonly MailKind[] | null> = {
  all: null,
  waiting: ['claimed', 'attempting', 'handed-over'],
  sent: ['sent'],
  failed: ['failed'],
  uncertain: ['uncertain'],
  stopped: ['cancelled', 'released'],
};

export const kindsOf = (filter: MailFilter): readonly MailKind[] | null => KINDS[filter];

export const readFilter = (text: string): MailFilter => MAIL_FILTERS.find((filter) => filter === text) ?? 'all';
