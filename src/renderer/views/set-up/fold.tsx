import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Fields behind one line, which says what stands in them; open once they are asked for. */
export function Fold(props: {
  readonly name: string;
  readonly value: string;
  readonly isAsked: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { name, value, isAsked, children } = props;
  const [isOpen, setOpen] = useState(isAsked);
  useEffect(() => {
    if (isAsked) setOpen(true);
  }, [isAsked]);
  return (
    <details class="fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="fold-name">{name}</span>
        {value !== '' && <span class="fold-value">{value}</span>}
      </summary>
      <div class="fold-body form">{children}</div>
    </details>
  );
}
