import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icon.tsx';

/** Nothing is here yet, and what happens next. */
export function Empty(props: {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <section class="empty">
      <Icon name={props.icon} />
      <h2>{props.title}</h2>
      <p>{props.text}</p>
      {props.children}
    </section>
  );
}
