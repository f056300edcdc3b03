import type { JSX } from 'preact';

/** A short number with its name above it; what is wrong with it is said for its whole group. */
export function NumberField(props: {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly isWrong: boolean;
  readonly onInput: (value: string) => void;
}): JSX.Element {
  const { id, label, value, isWrong, onInput } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        class="number"
        autoComplete="off"
        aria-invalid={isWrong}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  );
}
