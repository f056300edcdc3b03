import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImapFlow } from 'imapflow';
import { installDebianPackages, MAIL_SERVER_PACKAGES, provideExim } from '../../scripts/debian-packages.mjs';
import { freePorts } from './free-ports.ts';
import { dovecotConf, eximConf, postfixMain, postfixMaster, type Site, tokenCheckConf } from './mail-server-configs.ts';

const DOMAIN = 'mail.test';
const DOMAINS = [DOMAIN, 'exim.mail.test', 'dovecot.mail.test'] as const;
const PASSWORD = 'correct-horse';
/** Where Debian puts them: not every user's PATH has that folder. */
const POSTFIX = '/usr/sbin/postfix';
const DOVECOT = '/usr/sbin/dovecot';
const POSTFIX_MASTER = '/usr/lib/postfix/sbin/master';
const STARTS_MAX = 3;
const START_MS = 20_000;
const ARRIVAL_MS = 30_000;
const STOP_MS = 10_000;

export type MailServers = {
  /** The only name in the servers' certificate; `127.0.0.1` reaches them under a name it does not have. */
  readonly host: 'localhost';
  readonly ports: {
    readonly postfix: SubmissionPorts;
    readonly exim: SubmissionPorts | null;
    readonly dovecot: SubmissionPorts;
    readonly imaps: number;
  };
  /** PEM file of the authority that signed the certificate. */
  readonly caFile: string;
  /** One user of the domain; every other one has a mailbox and the same password too. */
  readonly user: string;
  /** Those of Exim and Dovecot, `exim.mail.test` and `dovecot.mail.test`, have the same mailboxes. */
  readonly domain: string;
  readonly password: string;
  /** Every copy in the user's inbox, once there is one; throws where none arrives in 30 s. */
  fetchByImap(messageId: string, user?: string): Promise<readonly Buffer[]>;
  stop(): Promise<void>;
};
type SubmissionPorts = { readonly starttls: number; readonly tls: number };

export type MailServerOptions = {
  readonly exim?: boolean;
  /** Where Dovecot asks whose access token it was given; without it there are only passwords. */
  readonly introspectionUrl?: string;
  readonly elsewhere?: 'refuse' | 'discard';
};

/**
 * Postfix, Dovecot, and Exim if asked for: submission with STARTTLS and with TLS from the start, passwords checked
 * and mails delivered by Dovecot. Real daemons in a folder of their own on loopback; several may run at once.
 * Mail to other domains is refused, or taken and thrown away.
 */
export async function startMailServers(options: MailServerOptions = {}): Promise<MailServers> {
  installDebianPackages(MAIL_SERVER_PACKAGES);
  const exim = options.exim ? provideExim() : null;
  for (let start = 1; ; start += 1) {
    try {
      return await startOnce(exim, options);
    } catch (error) {
      // Another process may have taken a port between the look and the start.
      if (start === STARTS_MAX) throw error;
    }
  }
}

const pair = (ports: readonly number[], at: number): SubmissionPorts => ({
  starttls: ports[at] ?? 0,
  tls: ports[at + 1] ?? 0,
});

async function startOnce(
  exim: string | null,
  { introspectionUrl, elsewhere = 'refuse' }: MailServerOptions,
): Promise<MailServers> {
  const [imaps = 0, relay = 0, ...rest] = await freePorts(8);
  const [postfix, dovecot, eximPorts] = [pair(rest, 0), pair(rest, 2), pair(rest, 4)];
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mail-servers-'));
  const daemons: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(daemons.map(end));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const site = { ...prepare(folder), tokenCheck: introspectionUrl === undefined ? null : `${folder}/tokens.conf` };
    const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
    if (introspectionUrl !== undefined) write('tokens.conf', tokenCheckConf(introspectionUrl));
    write('dovecot.conf', dovecotConf(site, { imaps, relay, ...dovecot }));
    write('postfix/main.cf', postfixMain(site, elsewhere));
    write('postfix/master.cf', postfixMaster({ relay, ...postfix }));
    daemons.push(run(folder, DOVECOT, ['-F', '-c', `${folder}/dovecot.conf`]));
    // The master itself, so that the id we know is the one to end; the check makes its queue's folders.
    execFileSync(POSTFIX, ['-c', `${folder}/postfix`, 'check'], { stdio: 'ignore' });
    daemons.push(run(folder, POSTFIX_MASTER, ['-c', `${folder}/postfix`, '-d']));
    if (exim !== null) {
      chown('Debian-exim', `${folder}/exim/spool`, `${folder}/exim/log`);
      write('exim/exim.conf', eximConf(site, { program: exim, ...eximPorts }));
      daemons.push(run(folder, exim, ['-C', `${folder}/exim/exim.conf`, '-bdf']));
    }
    const doors = [postfix, dovecot, ...(exim === null ? [] : [eximPorts])].flatMap(({ starttls, tls }) => [
      starttls,
      tls,
    ]);
    await Promise.all([imaps, relay, ...doors].map((port) => untilUp(port, daemons, folder)));
    const caFile = path.join(folder, 'pki/ca.pem');
    return {
      host: 'localhost',
      ports: {
        postfix,
        exim: exim === null ? null : eximPorts,
        dovecot,
        imaps,
      },
      caFile,
      user: `agent@${DOMAIN}`,
      domain: DOMAIN,
      password: PASSWORD,
      fetchByImap: (messageId, user = `agent@${DOMAIN}`) =>
        fetchCopies({ port: imaps, ca: readFileSync(caFile, 'utf8'), user }, messageId),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The folder is readable for the users the daemons change to. */
function prepare(folder: string): Omit<Site, 'tokenCheck'> {
  chmodSync(folder, 0o755);
  const folders = [
    'pki',
    'postfix/spool',
    'postfix/data',
    'dovecot/run',
    'dovecot/state',
    'mail',
    'exim/spool',
    'exim/log',
  ];
  for (const name of folders) mkdirSync(path.join(folder, name), { recursive: true, mode: 0o755 });
  chown('nobody:nogroup', `${folder}/mail`);
  chown('postfix', `${folder}/postfix/data`);
  issueCertificate(path.join(folder, 'pki'));
  return {
    folder,
    domains: DOMAINS,
    password: PASSWORD,
    certificate: `${folder}/pki/server.pem`,
    key: `${folder}/pki/server.key`,
    lmtpSocket: `${folder}/lmtp`,
    authSocket: `${folder}/auth`,
  };
}

const chown = (owner: string, ...files: string[]): void => void execFileSync('chown', [owner, ...files]);

/** An authority and a certificate of it for `localhost` alone. */
function issueCertificate(folder: string): void {
  const openssl = (...words: string[]): void => void execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const ca = ['-subj', '/CN=Test CA', '-addext', 'keyUsage=critical,keyCertSign,cRLSign'];
  openssl('req', '-x509', ...newKey, '-days', '30', ...ca, '-keyout', 'ca.key', '-out', 'ca.pem');
  openssl('req', ...newKey, '-subj', '/CN=localhost', '-keyout', 'server.key', '-out', 'server.csr');
  const extensions = 'subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n';
  writeFileSync(path.join(folder, 'extensions'), extensions);
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'extensions', '-days', '30'];
  openssl('x509', '-req', '-in', 'server.csr', ...signing, '-out', 'server.pem');
  // Exim reads it as its own user.
  chmodSync(path.join(folder, 'server.key'), 0o644);
}

function run(folder: string, program: string, words: readonly string[]): ChildProcess {
  const output = openSync(path.join(folder, 'output.log'), 'a');
  // Each leads a process group: Postfix insists, and what a daemon started ends with it.
  const daemon = spawn(program, words, { stdio: ['ignore', output, output], detached: true });
  closeSync(output);
  // An error of the start shows to those who wait; a test process that ends early takes its daemons along.
  daemon.on('error', () => undefined);
  const endWithUs = (): void => signalGroup(daemon, 'SIGTERM');
  process.once('exit', endWithUs);
  daemon.once('exit', () => process.off('exit', endWithUs));
  return daemon;
}

const hasEnded = (daemon: ChildProcess): boolean =>
  daemon.pid === undefined || daemon.exitCode !== null || daemon.signalCode !== null;

function signalGroup(daemon: ChildProcess, signal: NodeJS.Signals): void {
  if (daemon.pid !== undefined && !hasEnded(daemon)) process.kill(-daemon.pid, signal);
}

async function end(daemon: ChildProcess): Promise<void> {
  if (hasEnded(daemon)) return;
  const ended = once(daemon, 'exit');
  signalGroup(daemon, 'SIGTERM');
  const inTime = await Promise.race([ended.then(() => true), sleep(STOP_MS, false, { ref: false })]);
  if (!inTime) signalGroup(daemon, 'SIGKILL');
  await ended;
}

async function untilUp(port: number, daemons: readonly ChildProcess[], folder: string): Promise<void> {
  const until = Date.now() + START_MS;
  while (!(await answers(port))) {
    if (Date.now() > until || daemons.some(hasEnded)) {
      const output = readFileSync(path.join(folder, 'output.log'), 'utf8').slice(-2000);
      throw new Error(`no mail server on port ${port}: ${output}`);
    }
    await sleep(50);
  }
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function fetchCopies(
  imap: { readonly port: number; readonly ca: string; readonly user: string },
  messageId: string,
): Promise<readonly Buffer[]> {
  const client = new ImapFlow({
    host: 'localhost',
    port: imap.port,
    secure: true,
    auth: { user: imap.user, pass: PASSWORD },
    tls: { ca: imap.ca },
    logger: false,
  });
  await client.connect();
  try {
    await client.mailboxOpen('INBOX', { readOnly: true });
    const until = Date.now() + ARRIVAL_MS;
    for (;;) {
      await client.noop();
      const found = (await client.search({ header: { 'message-id': messageId } }, { uid: true })) || [];
      if (found.length > 0) {
        const copies = await client.fetchAll(found, { source: true }, { uid: true });
        return copies.map(({ source }) => source ?? Buffer.alloc(0));
      }
      if (Date.now() > until) throw new Error(`${messageId} did not arrive for ${imap.user}`);
      await sleep(50);
    }
  } finally {
    await client.logout();
  }
}
