import type { JSX } from 'preact';
import { Icon } from './icon.tsx';

/** Something that was checked and holds. */
export function Good(props: { readonly text: string }): JSX.Element {
  return (
    <p class="note note-good">
      <Icon name="check" />
      <span class="note-body">{props.text}</span>
    </p>
  );
}
