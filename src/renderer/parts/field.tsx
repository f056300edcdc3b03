import type { ComponentChildren, JSX } from 'preact';

/** A labelled input with its hint and, where something is wrong, what. The input gets its ids from `ids`. */
export function Field(props: {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly wrong?: string | null | undefined;
  readonly children: (described: Described) => ComponentChildren;
}): JSX.Element {
  const { id, label, hint, wrong, children } = props;
  const isWrong = wrong !== null && wrong !== undefined;
  const note = isWrong ? wrong : hint;
  const noteId = `${id}-note`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(note !== undefined ? { 'aria-describedby': noteId } : {}),
        ...(isWrong ? { 'aria-invalid': true } : {}),
      })}
      {note !== undefined && (
        <p id={noteId} class={isWrong ? 'hint wrong' : 'hint'}>
          {note}
        </p>
      )}
    </div>
  );
}

export type Described = {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
};

/** Moves the focus to the first field that is wrong, in the order of the form. */
export function focusFirst(ids: readonly string[]): void {
  const [first] = ids;
  if (first !== undefined) document.getElementById(first)?.focus();
}
