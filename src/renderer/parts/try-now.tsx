import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { request } from '../bridge.ts';
import { useTexts } from '../texts.ts';

/** Tries the mail account at once; what it waited for goes away, or comes back with a new reason. */
export function TryNow(props: { readonly id: string }): JSX.Element {
  const { today: texts } = useTexts();
  const [trouble, setTrouble] = useState<string | null>(null);
  const tryNow = async (): Promise<void> => {
    const answer = await request('try-now', null);
    setTrouble(answer.ok ? null : answer.error.text);
  };
  return (
    <>
      <button type="button" id={props.id} onClick={() => void tryNow()}>
        {texts.tryNow}
      </button>
      {trouble !== null && (
        <span role="alert" class="wrong">
          {trouble}
        </span>
      )}
    </>
  );
}
