import { assertNever } from '../result.ts';
import type { TroubleTexts } from './check-trouble.ts';

/** One thing to do where the server itself makes no sense. */
const ASK = 'Ask your provider or your office for the outgoing mail server, its port and its protection.';

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;

/** Rounded up, so that nobody comes back too early. */
function waitWords(waitMs: number): string {
  const minutes = Math.ceil(waitMs / MINUTE_MS);
  if (minutes <= 1) return 'a minute';
  if (minutes === 15) return 'a quarter of an hour';
  if (minutes < 60) return `${minutes} minutes`;
  return minutes === 60 ? 'an hour' : `${Math.ceil(minutes / 60)} hours`;
}

export const CHECK_TROUBLE_EN: TroubleTexts = (trouble, { host, port, provider }) => {
  const server = `${host}, port ${port}`;
  const others = provider?.otherServers ?? [];
  switch (trouble.kind) {
    case 'name-unknown':
      return {
        text: `No mail server with the name ${host} was found.`,
        next: 'Check that this computer is online and that the name is spelled right, then try again.',
      };
    case 'no-answer':
      return {
        text: `Nothing answers at ${server}.`,
        next: 'Check the name and port of the server. If they are right, a firewall may be in the way: try another network, or ask your office.',
      };
    case 'too-slow':
      return {
        text: `${host} answers too slowly.`,
        next: 'Try again in a few minutes, or over another network.',
      };
    case 'dropped':
      return {
        text: `${host} ended the connection at once.`,
        next: 'Check that port and protection belong together: 465 with TLS, 587 with STARTTLS.',
      };
    case 'dropped-at-login':
      return {
        text: `${host} ended the connection during the login.`,
        next: 'Wait ten minutes and try once more: some providers do so after several wrong logins.',
      };
    case 'intercepted':
      return {
        text: `${trouble.by} answers in place of ${host} and would read your password and mails.`,
        next: `Switch off the scanning of encrypted mail in ${trouble.by}, or ask your office for its certificate file and name it as this account’s authority.`,
      };
    case 'certificate-expired':
      return {
        text: `The certificate of ${host} is not valid on this computer’s date (issued by ${trouble.issuer}, valid until ${new Intl.DateTimeFormat('en', { dateStyle: 'long' }).format(trouble.validToMs)}).`,
        next: 'Check the date of this computer. If it is right, tell the people who run the mail server.',
      };
    case 'certificate-other-name':
      return {
        text: `The server that answers is not ${host}: its certificate is for ${trouble.names.slice(0, 3).join(', ') || 'another name'}.`,
        next: `Enter the name from the certificate as server if your provider uses it; otherwise leave it and ask your office.`,
      };
    case 'certificate-untrusted':
      return {
        text: `The certificate of ${host} comes from ${trouble.issuer}, which this computer does not know. Someone could be listening.`,
        next: 'If your company runs the server itself, ask for its certificate file and name it as this account’s authority. Otherwise try another network.',
      };
    case 'certificate-refused':
      return {
        text: `The certificate of ${host} could not be checked.`,
        next: 'Check the certificate file that this account names, or try another network.',
      };
    case 'not-protected':
      return {
        text: `${server} offers no encrypted connection, and your password is not sent without one.`,
        next: 'Use port 465 with TLS or port 587 with STARTTLS.',
      };
    case 'no-password-login':
      return {
        text: `${host} takes no login by password.`,
        next: provider === null ? ASK : provider.steps.en,
      };
    case 'browser-only':
      return {
        text: `${provider?.name.en ?? host} takes no password from mail programs, only a sign-in with the browser.`,
        next: 'Ask your office to set up this sign-in for the program (the client id), or use another mailbox.',
      };
    case 'no-sign-in-client':
      return {
        text: `Your office has not set up the sign-in at ${host} for this program yet.`,
        next: 'Ask your office for it (the client id), or use a password where your provider takes one.',
      };
    case 'no-sign-in-at-server':
      return {
        text: `${host} takes no sign-in with the browser.`,
        next: 'Check that this is the mail server of the provider you signed in at, or use a password.',
      };
    case 'sign-in-refused':
      return { text: `${host} gave no permission.`, next: 'Sign in again and agree to what is asked there.' };
    case 'sign-in-client-refused':
      return {
        text: `${host} does not accept this program under the client id that your office set up.`,
        next: 'Ask your office to check the client id and its permission for mail.',
      };
    case 'sign-in-not-lasting':
      return {
        text: `${host} gave a permission that ends within the hour.`,
        next: 'Ask your office to allow this program lasting access (offline access).',
      };
    case 'sign-in-unreachable':
      return {
        text: `The sign-in of ${host} does not answer.`,
        next: 'Check the network and proxy settings, then sign in again.',
      };
    case 'sign-in-late':
      return { text: 'The sign-in was not finished in time.', next: 'Sign in again.' };
    case 'no-browser':
      return {
        text: 'The browser of this computer could not be opened.',
        next: 'Set a browser as the usual one in the settings of this computer, then sign in again.',
      };
    case 'sign-in-again':
      return { text: 'The permission that you gave no longer counts.', next: 'Sign in again.' };
    case 'token-refused':
      return {
        text: `${host} refused the sign-in.`,
        next: 'Sign in with the mailbox of your mail address. If you did, your office may have to allow sending by mail programs for it.',
      };
    case 'login-refused':
      return provider === null
        ? {
            text: `${host} refused the login.`,
            next: 'Check user name and password. Many providers want an authorisation code or app password here, which you make in the settings of your mailbox.',
          }
        : {
            text: `${provider.name.en} refused the login. It wants ${provider.secret.en} here.`,
            next: provider.steps.en,
          };
    case 'service-off':
      return {
        text: `${provider?.name.en ?? host} has access by mail programs switched off for this mailbox.`,
        next: provider?.steps.en ?? 'Switch on IMAP and SMTP in the settings of your mailbox in the browser.',
      };
    case 'sign-in-first':
      return {
        text: `${provider?.name.en ?? host} wants to see you in the browser before it lets this computer in.`,
        next: 'Sign in to your mailbox with the browser on this computer, confirm that it was you, then check again.',
      };
    case 'sending-switched-off':
      return {
        text: 'Sending with mail programs is switched off for your mailbox.',
        next: 'Ask the administrator of your mail to switch on “Authenticated SMTP” for this mailbox.',
      };
    case 'locked-by-policy':
      return {
        text: 'A security rule of your organisation keeps mail programs out of this mailbox.',
        next: 'Ask the administrator of your mail to allow this mailbox to send with a mail program.',
      };
    case 'network-not-allowed':
      return {
        text: `${host} lets this mailbox log in from certain networks only, and this is none of them.`,
        next: 'Ask the administrator of your mail to allow this network, or check again from the office.',
      };
    case 'other-server':
      return {
        text: `Your mailbox is not on ${host} but on another server of the same provider.`,
        next:
          others.length === 0
            ? ASK
            : `Enter ${others.map((one) => `${one.host} with port ${one.port}`).join(', or ')} as mail server.`,
      };
    case 'busy':
      return {
        text: `${host} takes nothing from this account for the moment.`,
        next: `Wait ${waitWords(trouble.waitMs ?? QUARTER_MS)} and try again; trying more often makes it longer.`,
      };
    case 'turned-away':
      return {
        text: `${host} turned this computer away before the login.`,
        next: 'Try another network, without VPN or proxy; if it stays so, ask your provider.',
      };
    case 'sender-refused':
      return {
        text: 'The login works, but the server does not let this account send from your address.',
        next: 'Enter the address that belongs to the login as your mail address.',
      };
    case 'test-mail-refused':
      return {
        text: 'The login works, but the server did not take the test mail.',
        next: 'Open your mailbox in the browser and see whether sending is blocked there; then try again.',
      };
    case 'test-mail-uncertain':
      return {
        text: 'The test mail left, but the server did not say whether it took it.',
        next: 'Look whether it is in your inbox, then check again.',
      };
    case 'address-letters':
      return {
        text: `${host} cannot take the letters of your address.`,
        next: 'Use an address with Latin letters before the @.',
      };
    case 'no-password':
      return { text: 'The stored password could not be read.', next: 'Enter it again.' };
    case 'no-mail-server':
      return { text: `What answers at ${server} does not speak like a mail server.`, next: ASK };
    case 'proxy-unreachable':
      return {
        text: 'The proxy that this computer uses does not answer.',
        next: 'Check host name and port of the proxy in the settings.',
      };
    case 'proxy-login':
      return {
        text: 'The proxy that this computer uses did not accept the login.',
        next: 'Enter user name and password of the proxy in the settings.',
      };
    case 'proxy-refused':
      return {
        text: `The proxy that this computer uses does not let connections to ${server} through.`,
        next: 'Choose in the settings that mails go past the proxy, or ask whoever looks after your network.',
      };
    case 'stopped':
      return { text: 'The check was stopped.', next: 'Start it again when you like.' };
    case 'unclear':
      return {
        text: `The connection to ${host} did not work.`,
        next: 'Check the network and proxy settings, then try again.',
      };
    default:
      return assertNever(trouble);
  }
};
