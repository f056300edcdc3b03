// The Debian packages that the tests need, installed where that is possible and named where it is not. Plain
// JavaScript, because the Node that starts it may be old. On its own it installs all of them.
// Usage: node scripts/debian-packages.mjs
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const MAIL_SERVER_PACKAGES = [
  'postfix',
  'dovecot-core',
  'dovecot-imapd',
  'dovecot-lmtpd',
  'dovecot-submissiond',
  'openssl',
];
/** What the desktop app needs to run, and a desktop to run on: display, session bus, keyring, Chinese letters. */
export const DESKTOP_PACKAGES = [
  'dbus',
  'fonts-noto-cjk',
  'gnome-keyring',
  'libasound2',
  'libgbm1',
  'libgtk-3-0',
  'libnss3',
  'libsecret-1-0',
  'unzip',
  'xauth',
  'xvfb',
];
/** The window's page is also looked at in a plain browser. */
const BROWSER_PACKAGES = ['chromium'];
/** Spam filters that score what the agent writes. */
export const SPAM_PACKAGES = ['rspamd', 'spamassassin'];
export const TEST_PACKAGES = [
  ...MAIL_SERVER_PACKAGES,
  ...DESKTOP_PACKAGES,
  ...BROWSER_PACKAGES,
  ...SPAM_PACKAGES,
  'python3',
  'strace',
];

/** One install at a time: dpkg's own lock makes the second fail, not wait. */
const LOCK = path.join(os.tmpdir(), 'apt.lock');
const POLICY = '/usr/sbin/policy-rc.d';
// World-readable and owned by root: the server runs itself again under its own user.
const EXIM_FOLDER = '/var/cache/mail-agent/exim4';
const EXIM = path.join(EXIM_FOLDER, 'usr/sbin/exim4');
const EXIM_USER = 'Debian-exim';

/**
 * Installs those of the named packages that are missing; their services are not started. Throws an Error that names
 * what is missing and the command that installs it, where this process may not.
 * @param {readonly string[]} names
 */
export function installDebianPackages(names) {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  demandRoot(missing);
  const done = spawnSync('flock', [LOCK, process.execPath, fileURLToPath(import.meta.url), 'install', ...missing], {
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0) throw new Error(`apt-get could not install ${missing.join(' ')}; its own words are above`);
}

/**
 * The path of an Exim that is unpacked, not installed: as a package it would remove Postfix. Throws as above.
 * @returns {string}
 */
export function provideExim() {
  if (existsSync(EXIM) && hasUser(EXIM_USER)) return EXIM;
  demandRoot(['exim4-daemon-light']);
  const done = spawnSync('flock', [LOCK, process.execPath, fileURLToPath(import.meta.url), 'unpack-exim'], {
    stdio: ['ignore', 2, 2],
  });
  if (done.status !== 0) throw new Error('exim4-daemon-light could not be unpacked; the words above say why');
  return EXIM;
}

function isInstalled(name) {
  const asked = spawnSync('dpkg-query', ['--status', name], { encoding: 'utf8' });
  return asked.status === 0 && /^Status: .* installed$/m.test(asked.stdout);
}

const hasUser = (name) => spawnSync('id', ['--user', name], { stdio: 'ignore' }).status === 0;

function demandRoot(missing) {
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0) return;
  const list = missing.join(' ');
  throw new Error(
    `The tests need ${list}, and only root on Debian or Ubuntu can install that. Install it and run this again:\n` +
      `  sudo node scripts/debian-packages.mjs    (or: sudo apt-get install --no-install-recommends ${list})`,
  );
}

function apt(...words) {
  execFileSync('apt-get', ['--quiet=2', ...words], {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

/** Runs under the lock: another process may have installed some of them meanwhile, and apt knows. */
function install(names) {
  apt('update');
  const policyIsOurs = !existsSync(POLICY);
  if (policyIsOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    apt('install', '--yes', '--no-install-recommends', ...names);
  } finally {
    if (policyIsOurs) rmSync(POLICY, { force: true });
  }
}

function unpackExim() {
  if (!hasUser(EXIM_USER)) execFileSync('useradd', ['--system', '--user-group', '--no-create-home', EXIM_USER]);
  if (existsSync(EXIM)) return;
  const folder = path.dirname(EXIM_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  apt('update');
  for (const name of downloaded(folder)) rmSync(path.join(folder, name));
  // The folder is not apt's own, so its unprivileged user could not write there.
  const asRoot = ['--option', 'APT::Sandbox::User=root'];
  execFileSync('apt-get', ['--quiet=2', ...asRoot, 'download', 'exim4-daemon-light'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  });
  const [name] = downloaded(folder);
  const depends = execFileSync('dpkg-deb', ['--field', name, 'Depends'], { cwd: folder, encoding: 'utf8' });
  const needed = depends.split(',').map((one) => one.trim().split(' ')[0] ?? '');
  const libraries = needed.filter((library) => library.startsWith('lib') && !isInstalled(library));
  if (libraries.length > 0) install(libraries);
  // Into a folder aside first: what bears the final name is complete.
  const aside = `${EXIM_FOLDER}.new`;
  rmSync(aside, { recursive: true, force: true });
  execFileSync('dpkg-deb', ['--extract', name, aside], { cwd: folder, stdio: ['ignore', 2, 2] });
  rmSync(EXIM_FOLDER, { recursive: true, force: true });
  execFileSync('mv', [aside, EXIM_FOLDER]);
  rmSync(path.join(folder, name));
}

const downloaded = (folder) => readdirSync(folder).filter((name) => /^exim4-daemon-light_.*\.deb$/.test(name));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [task, ...names] = process.argv.slice(2);
  if (task === 'install') install(names);
  else if (task === 'unpack-exim') unpackExim();
  else {
    try {
      installDebianPackages(TEST_PACKAGES);
      provideExim();
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    }
  }
}
