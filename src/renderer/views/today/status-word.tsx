import type { JSX } from 'preact';
import type { StatusView } from '../../../shared/status.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import type { Tone } from '../../parts/state-mark.tsx';
import { useTexts } from '../../texts.ts';

const MARKS: Record<StatusView['state'], { readonly icon: IconName; readonly tone: Tone }> = {
  idle: { icon: 'check', tone: 'good' },
  sending: { icon: 'send', tone: 'busy' },
  paused: { icon: 'pause', tone: 'quiet' },
  'needs-you': { icon: 'question', tone: 'ask' },
  offline: { icon: 'offline', tone: 'bad' },
};

/** The agent's state as icon, word and colour; a change is read out. */
export function StatusWord(props: { readonly state: StatusView['state'] }): JSX.Element {
  const { frame } = useTexts();
  const { icon, tone } = MARKS[props.state];
  return (
    <span class={`mark status-word tone-${tone}`} role="status">
      <Icon name={icon} />
      <span>{frame.state[props.state]}</span>
    </span>
  );
}
