import type { JSX } from 'preact';

export type IconName =
  | 'today'
  | 'mails'
  | 'question'
  | 'settings'
  | 'set-up'
  | 'back'
  | 'forward'
  | 'check'
  | 'clock'
  | 'send'
  | 'pause'
  | 'cross'
  | 'stop'
  | 'offline'
  | 'search'
  | 'attachment';

/** Lines on a field of 20 by 20. */
const PATHS: Record<IconName, string> = {
  today: 'M4 6h12M4 10h8M4 14h5',
  mails: 'M3 5.5h14v9H3zM3 6l7 5 7-5',
  question: 'M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4zM7.8 8a2.2 2.2 0 1 1 3 2c-.6.3-.8.7-.8 1.4M10 13.8v.1',
  settings: 'M3 6h7m4 0h3M12 4v4M3 14h3m4 0h7M8 12v4',
  'set-up': 'M5 17V3.5M5 4h10l-2.5 3.5L15 11H5',
  back: 'M12 4.5L6.5 10l5.5 5.5',
  forward: 'M8 4.5l5.5 5.5L8 15.5',
  check: 'M4 10.5l4 4 8-9',
  clock: 'M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4zM10 6v4.2l2.8 1.8',
  send: 'M3 10l14-6-5 13-2.5-5.5z',
  pause: 'M7 5v10M13 5v10',
  cross: 'M5 5l10 10M15 5L5 15',
  stop: 'M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4zM7 10h6',
  offline: 'M3 3l14 14M5.5 8.5a7 7 0 0 1 2-1.2M14.5 8.5a7 7 0 0 0-4-1.6M8 12a3 3 0 0 1 3-.5M10 14.9v.1',
  search: 'M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4zM13 13l3.5 3.5',
  attachment: 'M14.5 9.5l-5 5a3 3 0 0 1-4.2-4.2l6-6a2 2 0 0 1 2.9 2.9l-5.7 5.6',
};

/** Beside a word that says the same; hidden from screen readers. */
export function Icon(props: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[props.name]} />
    </svg>
  );
}
