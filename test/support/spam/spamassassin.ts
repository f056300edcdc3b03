import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installDebianPackages, SPAM_PACKAGES } from '../../../scripts/debian-packages.mjs';
import type { Judgement } from './judgement.ts';

/** What the filter writes into each mail: its rules with their scores to the last digit. */
const RULES = /^X-Spam-Rules: ([^\r\n]*(?:\r?\n[ \t]+[^\r\n]*)*)/gm;
const SETTINGS = ['use_bayes 0', 'add_header all Rules _TESTSSCORES(,)_', 'report_safe 0', 'fold_headers 0'];

/** SpamAssassin with the rules of its package and without the network (`-L`), on all mails in one run. */
export function judgeBySpamAssassin(mails: readonly Buffer[]): readonly Judgement[] {
  installDebianPackages(SPAM_PACKAGES);
  const folder = mkdtempSync(path.join(tmpdir(), 'mail-agent-spamassassin-'));
  try {
    const files = mails.map((mail, index) => {
      const file = path.join(folder, `${index}.eml`);
      writeFileSync(file, mail);
      return file;
    });
    const settings = SETTINGS.map((setting) => `--cf=${setting}`);
    const done = spawnSync('spamassassin', ['--local', ...settings, ...files], {
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, LANG: 'C.UTF-8' },
      maxBuffer: 64 * 1024 * 1024,
    });
    const judged = [...done.stdout.toString('latin1').matchAll(RULES)].map(([, list = '']) => judgementOf(list));
    if (done.status === 0 && judged.length === mails.length) return judged;
    throw new Error(`SpamAssassin judged ${judged.length} of ${mails.length} mails: ${done.stderr}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function judgementOf(list: string): Judgement {
  const pairs = list
    .split(/[,\s]+/)
    .map((pair) => pair.split('='))
    .flatMap(([name = '', score]) => (score === undefined ? [] : [[name, Number(score)] as const]));
  return { score: pairs.reduce((sum, [, score]) => sum + score, 0), rules: Object.fromEntries(pairs) };
}
