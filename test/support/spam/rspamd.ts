import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { installDebianPackages, SPAM_PACKAGES } from '../../../scripts/debian-packages.mjs';
import { freePorts } from '../free-ports.ts';
import type { Judgement } from './judgement.ts';

const Answer = z.object({ score: z.number(), symbols: z.record(z.string(), z.object({ score: z.number() })) });
const TRIES = 300;
const USER = '_rspamd';

/**
 * A real rspamd with the rules of its package, on loopback. What asks the network about the sender is switched off: it
 * says nothing about the mail, and without a network its answers come by chance.
 */
export async function startRspamd(): Promise<{ judge(mail: Buffer): Promise<Judgement>; close(): Promise<void> }> {
  installDebianPackages(SPAM_PACKAGES);
  const folder = await mkdtemp(path.join(tmpdir(), 'mail-agent-rspamd-'));
  await chmod(folder, 0o755);
  for (const name of ['db', 'run', 'log']) {
    await mkdir(path.join(folder, name));
    execFileSync('chown', [USER, path.join(folder, name)]);
  }
  const [port = 0] = await freePorts(1);
  const config = path.join(folder, 'rspamd.conf');
  await writeFile(config, configOf(folder, port));
  await writeFile(path.join(folder, 'suffixes'), SUFFIXES);
  await mkdir(path.join(folder, 'local/override.d'), { recursive: true });
  for (const name of ASKING) await writeFile(path.join(folder, `local/override.d/${name}.conf`), 'enabled = false;\n');
  const variables = { DBDIR: 'db', RUNDIR: 'run', LOGDIR: 'log', LOCAL_CONFDIR: 'local' };
  const child = spawn(
    'rspamd',
    [
      ...['--no-fork', '--insecure', '--user', USER, '--group', USER, '--config', config, '--var=CONFDIR=/etc/rspamd'],
      ...Object.entries(variables).map(([name, place]) => `--var=${name}=${path.join(folder, place)}`),
    ],
    { stdio: 'ignore' },
  );
  const close = async (): Promise<void> => {
    await ended(child);
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await answers(url, child);
  } catch (cause) {
    const log = await readFile(path.join(folder, 'log/rspamd.log'), 'utf8').catch(() => '');
    await close();
    throw new Error(`rspamd did not start: ${log.slice(-2_000)}`, { cause });
  }
  return {
    async judge(mail) {
      // With the name of the server it is not looked up.
      const headers = {
        ip: '198.51.100.7',
        hostname: 'mail.example.com',
        from: 'wang@example.com',
        rcpt: 'li@example.org',
      };
      const { body } = await request(`${url}/checkv2`, { method: 'POST', body: mail, headers });
      const { score, symbols } = Answer.parse(await body.json());
      return { score, rules: Object.fromEntries(Object.entries(symbols).map(([name, rule]) => [name, rule.score])) };
    },
    close,
  };
}

/** The list of all suffixes takes minutes to compile; the mails have links under these alone. */
const SUFFIXES = 'com\norg\nnet\ncn\nexample\n';

/** The parts that ask DNS or another service. */
const ASKING = ['arc', 'asn', 'dkim', 'dmarc', 'fuzzy_check', 'hfilter', 'mx_check', 'rbl', 'spf', 'url_redirector'];

const configOf = (folder: string, port: number): string => `
.include "/etc/rspamd/common.conf"
options {
  filters = "chartable,regexp";
  pidfile = "${folder}/run/rspamd.pid";
  control_socket = "${folder}/run/rspamd.sock mode=0600";
  url_tld = "${folder}/suffixes";
  hs_cache_dir = "${folder}/db";
  cache_file = "${folder}/db/symbols.cache";
  disable_hyperscan = true;
  disable_monitoring = true;
  dns { nameserver = ["127.0.0.1:9"]; timeout = 0.05s; retransmits = 1; }
}
logging { type = "file"; filename = "${folder}/log/rspamd.log"; level = "notice"; }
worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 1; task_timeout = 60s; }
`;

async function answers(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    try {
      const { body } = await request(`${url}/ping`);
      await body.dump();
      return;
    } catch {
      // Not listening yet.
      await pause(100);
    }
  }
  throw new Error('it does not answer');
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
