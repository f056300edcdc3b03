import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { CheckProgress } from '../../../shared/account-check.ts';
import type { AccountInput, AccountView, CheckOutcome } from '../../../shared/ipc/views.ts';
import { SIGN_IN_NAMES } from '../../../shared/sign-in-providers.ts';
import { request } from '../../bridge.ts';
import { Field, focusFirst } from '../../parts/field.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { useTexts } from '../../texts.ts';
import { type AccountField, accountInput, readPort, takeServer, waysIn, wrongFields } from './account-draft.ts';
import { CheckSteps, useCheckSteps } from './check-steps.tsx';
import type { Draft } from './draft.ts';
import { Fold } from './fold.tsx';
import { PasswordField } from './password-field.tsx';
import { ServerFields } from './server-fields.tsx';
import { SignInField } from './sign-in-field.tsx';
import { useServerGuess } from './use-server-guess.ts';

/** Address and password; the server is filled in from the address, or asked. Saved only after a live check. */
export function AccountForm(props: {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  /** The account whose password or sign-in is in the keychain already; null where none is. */
  readonly kept: Pick<AccountView, 'address' | 'login'> | null;
  /** With what the check found, where a test mail was a part of it. */
  readonly onSaved: (address: string, found: readonly CheckProgress[]) => void;
}): JSX.Element {
  const { draft, onDraft, kept, onSaved } = props;
  const texts = useTexts().setUp.account;
  const [password, setPassword] = useState('');
  const [way, setWay] = useState<'sign-in' | 'password'>(kept?.login === 'password' ? 'password' : 'sign-in');
  const [testMail, setTestMail] = useState<'send' | 'none'>('none');
  const { steps, found, clear } = useCheckSteps();
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<CheckOutcome | null>(null);
  const server = useServerGuess(draft, onDraft);
  const { guess } = server;

  const { signIn, offered, login, takesPassword, isKept } = waysIn({ kept, guess, way, address: draft.address.trim() });
  const isSigningIn = isBusy && steps.some(({ step, state }) => step === 'sign-in' && state === 'running');
  const passwordIs = password !== '' ? 'typed' : signIn !== null || isKept ? 'kept' : 'missing';
  const wrong = isTried ? wrongFields(draft, passwordIs) : [];
  // The person is not asked for a server that is being looked for, or will be once there is a network.
  const isAwaited = draft.host === '' && (server.state === 'looking' || server.state === 'offline');
  const isWrong = (field: AccountField): boolean => wrong.includes(field) && !(field === 'host' && isAwaited);

  const check = async (event: Event, how: AccountInput['signIn']): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setTried(true);
    setOutcome(null);
    setBusy(true);
    clear();
    const whole = await server.look();
    const missing = wrongFields(whole, passwordIs);
    if (missing.length === 0) {
      const input = accountInput(whole, { login, password, signIn: how, guess: server.found(), testMail });
      const answer = await request('save-account', input);
      const result = answer.ok ? answer.value : { ok: false as const, text: answer.error.text, quote: null };
      setOutcome(result);
      if (result.ok) {
        setPassword('');
        setTried(false);
        onSaved(whole.address.trim(), testMail === 'send' ? found() : []);
      }
    } else {
      if (whole.host === '' && server.ask() === 'offline') setOutcome({ ok: false, text: texts.offline, quote: null });
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
            onBlur={() => void server.look()}
          />
        )}
      </Field>
      {signIn === null ? (
        <PasswordField
          kind={guess?.secretKind ?? 'password'}
          advice={guess?.advice ?? []}
          page={guess?.page ?? null}
          value={password}
          isKept={isKept}
          isWrong={isWrong('password')}
          onInput={setPassword}
        />
      ) : (
        <SignInField provider={signIn} isKept={isKept} onPassword={takesPassword ? () => setWay('password') : null} />
      )}
      {signIn === null && offered !== null && (
        <button type="button" class="plain link" onClick={() => setWay('sign-in')}>
          {texts.signInWith(SIGN_IN_NAMES[offered])}
        </button>
      )}
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
      <ServerFields
        draft={draft}
        onDraft={onDraft}
        summary={summary()}
        isAsked={server.state === 'asked'}
        isWrong={isWrong}
      />
      <Fold name={texts.name} value={draft.name.trim() === '' ? texts.nameNone : draft.name} isAsked={false}>
        <Field id="account-name" label={texts.name}>
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
      </Fold>
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
        <Trouble
          title={outcome.next === undefined ? null : outcome.text}
          text={outcome.next ?? outcome.text}
          quote={outcome.quote}
        />
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
    if (server.state === 'looking') return texts.looking;
    const isGuess = guess !== null && guess.smtp.host === draft.host && draft.serverFor !== '';
    if (draft.host !== '' && port !== null) return texts.serverFound(draft.host, port, isGuess ? guess.source : null);
    if (server.state === 'offline') return texts.serverOffline;
    return server.state === 'asked' ? texts.serverUnknown : texts.serverLater;
  }
}
