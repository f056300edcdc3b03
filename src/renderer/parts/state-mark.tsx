import type { JSX } from 'preact';
import type { MailKind } from '../../shared/ipc/views.ts';
import { useTexts } from '../texts.ts';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'quiet' | 'busy' | 'good' | 'bad' | 'ask';

const MARKS: Record<MailKind, { readonly icon: IconName; readonly tone: Tone }> = {
  claimed: { icon: 'clock', tone: 'quiet' },
  attempting: { icon: 'send', tone: 'busy' },
  'handed-over': { icon: 'send', tone: 'busy' },
  sent: { icon: 'check', tone: 'good' },
  failed: { icon: 'cross', tone: 'bad' },
  uncertain: { icon: 'question', tone: 'ask' },
  cancelled: { icon: 'stop', tone: 'quiet' },
  released: { icon: 'stop', tone: 'quiet' },
};

/** A mail's state: an icon, a word and a colour. */
export function StateMark(props: { readonly kind: MailKind }): JSX.Element {
  const { mailState } = useTexts();
  const { icon, tone } = MARKS[props.kind];
  return (
    <span class={`mark tone-${tone}`}>
      <Icon name={icon} />
      <span class="mark-word">{mailState[props.kind]}</span>
    </span>
  );
}
