import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AccountView, CheckOutcome, ServerGuess } from '../../../shared/ipc/views.ts';
import { SIGN_IN_NAMES } from '../../../shared/sign-in.ts';
import { request } from '../../bridge.ts';
import { Field, focusFirst } from '../../parts/field.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { useTexts } from '../../texts.ts';
import {
  type AccountField,
  accountInput,
  isAddress,
  readPort,
  takeServer,
  withGuess,
  wrongFields,
} from './account-draft.ts';
import { CheckSteps, useCheckSteps } from './check-steps.tsx';
import type { Draft } from './draft.ts';
import { PasswordField } from './password-field.tsx';
import { ServerFields } from './server-fields.tsx';
import { SignInField } from './sign-in-field.tsx';

/** Address and password first; the server is filled in from the address, or asked. Saved only after a live check. */
export function AccountForm(props: {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  /** The account whose password or sign-in is in the keychain already; null where none is. */
  readonly kept: Pick<AccountView, 'address' | 'login'> | null;
  readonly onSaved: (address: string) => void;
}): JSX.Element {
  const { draft, onDraft, kept, onSaved } = props;
  const texts = useTexts().setUp.account;
  const [password, setPassword] = useState('');
  const [way, setWay] = useState<'sign-in' | 'password'>(kept?.login === 'password' ? 'password' : 'sign-in');
  const [guess, setGuess] = useState<ServerGuess>(null);
  const [isLooking, setLooking] = useState(false);
  const [testMail, setTestMail] = useState<'send' | 'none'>('none');
  const [steps, clearSteps] = useCheckSteps();
  const [isServerAsked, setServerAsked] = useState(false);
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<CheckOutcome | null>(null);
  const askedFor = useRef<string | null>(null);
  const found = useRef<ServerGuess>(null);
  const latest = useRef(draft);
  latest.current = draft;

  /** The draft with the server of its address, where somebody knows it and the person has not named one. */
  const withServer = async (): Promise<Draft> => {
    const address = draft.address.trim();
    if (!isAddress(address) || askedFor.current === address) return draft;
    askedFor.current = address;
    setLooking(true);
    const answer = await request('guess-server', { address });
    if (askedFor.current === address) setLooking(false);
    // The person may have typed on while the answer was under way.
    const now = latest.current;
    if (!answer.ok || askedFor.current !== address) return now;
    setGuess(answer.value);
    found.current = answer.value;
    const next = withGuess(now, address, answer.value);
    setServerAsked(next.host === '');
    if (next !== now) onDraft(next);
    return next;
  };
  // Once, with the address the form began with: it wants the right word for its password.
  useEffect(() => {
    void withServer();
  }, []);

  const keptLogin = kept !== null && kept.address === draft.address.trim() ? kept.login : null;
  const offered = guess?.signIn ?? (keptLogin === 'password' ? null : keptLogin);
  const takesPassword = guess?.takesPassword ?? true;
  const signIn = offered !== null && (way === 'sign-in' || !takesPassword) ? offered : null;
  const login = signIn ?? 'password';
  const isKept = keptLogin === login;
  const passwordIs = signIn !== null || isKept ? 'kept' : 'missing';
  const wrong = isTried ? wrongFields(draft, password !== '' ? 'typed' : passwordIs) : [];
  const isSigningIn = isBusy && steps.some(({ step, state }) => step === 'sign-in' && state === 'running');
  const isWrong = (field: AccountField): boolean => wrong.includes(field);

  const check = async (event: Event, how: 'now' | 'kept'): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setTried(true);
    setOutcome(null);
    setBusy(true);
    clearSteps();
    const whole = await withServer();
    const missing = wrongFields(whole, password !== '' ? 'typed' : passwordIs);
    if (missing.length === 0) {
      const given = { login, password, signIn: how, guess: found.current, testMail } as const;
      const answer = await request('save-account', accountInput(whole, given));
      const result = answer.ok ? answer.value : { ok: false as const, text: answer.error.text, quote: null };
      setOutcome(result);
      if (result.ok) {
        setPassword('');
        setTried(false);
        onSaved(whole.address.trim());
      }
    } else {
      if (whole.host === '') setServerAsked(true);
      // The fields of the server may have to open first.
      setTimeout(() => focusFirst(missing.map((field) => `account-${field}`)), 0);
    }
    setBusy(false);
  };

  return (
    <form class="form" onSubmit={(event) => check(event, 'now')} noValidate>
      <Field id="account-address" label={texts.address} wrong={isWrong('address') ? texts.addressWrong : null}>
        {(described) => (
          <input
            {...described}
            type="email"
            autoComplete="off"
            spellcheck={false}
            value={draft.address}
            onInput={(event) => onDraft({ ...draft, address: event.currentTarget.value })}
            onBlur={() => void withServer()}
          />
        )}
      </Field>
      {signIn === null ? (
        <PasswordField
          kind={guess?.secretKind ?? 'password'}
          advice={guess?.advice ?? []}
          value={password}
          isKept={isKept}
          isWrong={isWrong('password')}
          onInput={setPassword}
        />
      ) : (
        <SignInField provider={signIn} isKept={isKept} onPassword={takesPassword ? () => setWay('password') : null} />
      )}
      {signIn === null && offered !== null && (
        <button type="button" class="plain" onClick={() => setWay('sign-in')}>
          {texts.signInWith(SIGN_IN_NAMES[offered])}
        </button>
      )}
      <Field id="account-name" label={texts.name} hint={texts.nameHint}>
        {(described) => (
          <input
            {...described}
            type="text"
            autoComplete="off"
            value={draft.name}
            onInput={(event) => onDraft({ ...draft, name: event.currentTarget.value })}
          />
        )}
      </Field>
      <ServerFields
        draft={draft}
        onDraft={onDraft}
        summary={summary()}
        isAsked={isServerAsked || isWrong('host') || isWrong('port')}
        isHostWrong={isWrong('host')}
        isPortWrong={isWrong('port')}
      />
      {guess !== null && guess.question !== null && draft.host === '' && (
        <div class="note">
          <div class="note-body">
            <p>{guess.question}</p>
            <button type="button" onClick={() => onDraft(takeServer(draft, draft.address.trim(), guess))}>
              {texts.takeServer}
            </button>
          </div>
        </div>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={testMail === 'send'}
          onChange={(event) => setTestMail(event.currentTarget.checked ? 'send' : 'none')}
        />
        <span>
          {texts.testMail}
          <span class="hint">{texts.testMailHint}</span>
        </span>
      </label>
      <CheckSteps steps={steps} />
      {outcome !== null && !outcome.ok && (
        <Trouble title={null} text={[outcome.text, outcome.next ?? ''].join(' ').trim()} quote={outcome.quote} />
      )}
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={isBusy}>
          {signIn === null ? texts.check : texts.signInWith(SIGN_IN_NAMES[signIn])}
        </button>
        {signIn !== null && isKept && !isBusy && (
          <button type="button" onClick={(event) => check(event, 'kept')}>
            {texts.check}
          </button>
        )}
        {isSigningIn && (
          <button type="button" onClick={() => void request('stop-sign-in', null)}>
            {texts.stopSignIn}
          </button>
        )}
        <span role="status" class="quiet">
          {isSigningIn ? texts.signingIn : isBusy ? texts.checking : ''}
        </span>
      </div>
    </form>
  );

  function summary(): string {
    const port = readPort(draft.port);
    if (isLooking) return texts.looking;
    const isGuess = guess !== null && guess.smtp.host === draft.host && draft.serverFor !== '';
    if (draft.host !== '' && port !== null) return texts.serverFound(draft.host, port, isGuess ? guess.source : null);
    return isServerAsked ? texts.serverUnknown : texts.serverLater;
  }
}
