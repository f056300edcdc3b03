import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

type Entry = { readonly word: string; readonly onChoose: () => void };

/** A button that opens a short list of buttons. Esc and a click elsewhere close it; arrows walk it. */
export function Menu(props: {
  readonly id: string;
  readonly word: string;
  readonly entries: readonly Entry[];
}): JSX.Element {
  const { id, word, entries } = props;
  const [isOpen, setOpen] = useState(false);
  const whole = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    items(whole.current)[0]?.focus();
    const onPress = (event: PointerEvent): void => {
      if (event.target instanceof Node && !whole.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [isOpen]);

  const onKey = (event: KeyboardEvent): void => {
    if (!isOpen) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      walk(whole.current, event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Tab') {
      setOpen(false);
    }
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the buttons within
    <div class="menu" ref={whole} onKeyDown={onKey}>
      <button
        type="button"
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {word} <span aria-hidden="true">▾</span>
      </button>
      {isOpen && (
        <div id={id} class="menu-list" role="menu" aria-label={word}>
          {entries.map((entry) => (
            <button
              key={entry.word}
              type="button"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                close();
                entry.onChoose();
              }}
            >
              {entry.word}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const items = (within: HTMLElement | null): HTMLElement[] =>
  within === null ? [] : [...within.querySelectorAll<HTMLElement>('[role=menuitem]')];

function walk(within: HTMLElement | null, by: 1 | -1): void {
  const all = items(within);
  const at = all.findIndex((item) => item.matches(':focus'));
  all[(at + by + all.length) % all.length]?.focus();
}
