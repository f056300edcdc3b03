import type { JSX } from 'preact';

/** A thin bar; the words beside it say the same. */
export function Progress(props: {
  readonly label: string;
  readonly done: number;
  readonly total: number;
}): JSX.Element {
  return <progress aria-label={props.label} value={props.done} max={Math.max(1, props.total)} />;
}
