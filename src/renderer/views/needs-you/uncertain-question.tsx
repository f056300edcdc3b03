import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PendingAnswer, Question } from '../../../shared/ipc/views.ts';
import { request } from '../../bridge.ts';
import { ServerQuote } from '../../parts/server-quote.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import type { Detail } from '../../route.ts';
import { useTexts } from '../../texts.ts';
import { useNow } from '../../use-now.ts';
import { MailLine } from './mail-line.tsx';

type Uncertain = Extract<Question, { readonly kind: 'uncertain' }>;

/** Was it sent? What is known, where to look, two answers, and a while to take the answer back. */
export function UncertainQuestion(props: {
  readonly question: Uncertain;
  readonly onChanged: () => void;
  readonly onOpen: (detail: Detail) => void;
}): JSX.Element {
  const { question, onChanged, onOpen } = props;
  const { mail, known, quote, answer } = question;
  const texts = useTexts().needsYou.uncertain;
  const [trouble, setTrouble] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const undoButton = useRef<HTMLButtonElement>(null);
  const firstAnswer = useRef<HTMLButtonElement>(null);
  const acted = useRef(false);

  // The button that was pressed is gone; the focus goes to the one that stands in its place.
  const isAnswered = answer !== null;
  // When the answer came or went, and only after an act here.
  useEffect(() => {
    if (acted.current) (undoButton.current ?? firstAnswer.current)?.focus();
    acted.current = false;
  }, [isAnswered]);

  const tell = async (as: PendingAnswer['as']): Promise<void> => {
    acted.current = true;
    const told = await request('answer', { mailId: mail.id, as });
    setTrouble(told.ok ? null : told.error.text);
    setSaid(told.ok ? texts.noted[as] : '');
    onChanged();
  };
  const undo = async (): Promise<void> => {
    acted.current = true;
    const undone = await request('undo-answer', { mailId: mail.id });
    setTrouble(undone.ok ? null : undone.error.text);
    setSaid(undone.ok ? texts.undone : '');
    onChanged();
  };

  return (
    <article class="card ask" aria-label={texts.question}>
      <h2>{texts.question}</h2>
      <MailLine mail={mail} onOpen={onOpen} />
      {answer === null ? (
        <>
          <dl class="known">
            <dt>{texts.known}</dt>
            <dd>
              {known}
              <ServerQuote quote={quote} />
            </dd>
            <dt>{texts.whereToLook}</dt>
            <dd>{texts.lookText(mail.toAddress)}</dd>
          </dl>
          <div class="actions even">
            <button type="button" ref={firstAnswer} onClick={() => void tell('sent')}>
              {texts.sent}
            </button>
            <button type="button" onClick={() => void tell('not-sent')}>
              {texts.notSent}
            </button>
          </div>
          <p class="hint">{texts.notSentMeans}</p>
        </>
      ) : (
        <div class="answered">
          <p>
            <span class="strong">{texts.noted[answer.as]}</span> <Countdown untilMs={answer.undoUntilMs} />
          </p>
          <button type="button" ref={undoButton} onClick={() => void undo()}>
            {texts.undo}
          </button>
        </div>
      )}
      {trouble !== null && <Trouble title={null} text={trouble} quote={null} />}
      <p role="status" class="heard-only">
        {said}
      </p>
    </article>
  );
}

const SECOND_MS = 1000;

function Countdown(props: { readonly untilMs: number }): JSX.Element {
  const { needsYou } = useTexts();
  const nowMs = useNow(SECOND_MS / 2);
  const seconds = Math.max(0, Math.ceil((props.untilMs - nowMs) / SECOND_MS));
  return <span class="quiet numbers">{needsYou.uncertain.toldIn(seconds)}</span>;
}
