import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportLog } from '../../../src/main/adapters/log/export-log.ts';
import { logFolder } from '../../../src/main/headless/run-command.ts';
import { AgentProcess } from '../../support/agent-process.ts';
import { canarySearch } from '../../support/canary/search.ts';
import { samplePayload, startTestCloud, type TestCloud } from '../../support/cloud.ts';
import { newUser } from '../../support/cloud-mails.ts';
import { type HttpProxy, startHttpProxy } from '../../support/http-proxy.ts';
import { type Act, cut, inTurn, ScriptedSmtp } from '../../support/scripted-smtp.ts';
import { until } from './until.ts';

const PASSWORD = 'Canary-Pa55 wörd/+&7Qz!';

let cloud: TestCloud;
let proxy: HttpProxy;
let smtp: ScriptedSmtp;
let agent: AgentProcess;
let token: string;
let userId: string;
/** What the agent said on its terminal, kept whole. */
let said = '';

/** The server repeats the login line it heard, and the password behind it in several ways, in the text of its reply. */
const repeating =
  (reply: string, then: (text: string) => Act): Act =>
  (peer) => {
    const line = peer.peer.commands.findLast((one) => one.startsWith('AUTH')) ?? '';
    const forms = [line, PASSWORD, Buffer.from(PASSWORD).toString('base64'), [...PASSWORD].join('\u0001')];
    then(forms.map((form, at) => `${reply}${at === forms.length - 1 ? ' ' : '-'}${form}`).join('\r\n'))(peer);
  };

beforeAll(async () => {
  cloud = await startTestCloud();
  userId = await newUser(cloud);
  const paired = await cloud.pairedAgent(userId);
  token = paired.token;
  proxy = await startHttpProxy(cloud.url);
  const answer = (text: string) => cut(Buffer.from(`${text}\r\n`));
  const say =
    (text: string): Act =>
    (peer) =>
      peer.write(Buffer.from(`${text}\r\n`));
  const welcome: Act = (peer) => peer.write('235 2.7.0 welcome\r\n');
  smtp = await ScriptedSmtp.start({
    offers: ['AUTH PLAIN'],
    script: {
      auth: inTurn(repeating('535', answer), welcome),
      rcpt: inTurn(repeating('550', say), say('250 ok')),
      endOfData: repeating('250', say),
    },
  });
  const facts = { cloudUrl: proxy.url, paired, smtpPort: smtp.port, address: 'wang@example.com', password: PASSWORD };
  agent = await AgentProcess.make(facts);
});
afterAll(async () => {
  await agent?.remove();
  await smtp?.close();
  await proxy?.close();
  await cloud?.close();
});

describe('the secrets of a headless agent whose mail server and cloud repeat them', () => {
  it('are nowhere in its data folder, log, exported log, terminal, command line or environment', async () => {
    const search = canarySearch({ password: PASSWORD, token, login: `\0wang@example.com\0${PASSWORD}` });
    // The cloud's gateway repeats the token in an error page, in a problem, and in an answer of another form.
    const problem = { type: 'urn:mail-agent:problem:internal', title: 'x', status: 500, detail: `Bearer ${token}` };
    const bodies = [
      JSON.stringify(problem),
      `<html>Authorization: Bearer ${token}</html>`,
      JSON.stringify({ [token]: 1 }),
    ];
    for (const [at, body] of bodies.entries()) {
      proxy.intercept({ route: 'heartbeat' }, (passage) =>
        passage.answer({
          status: [500, 502, 200][at] ?? 500,
          contentType: ['application/problem+json', 'text/html', 'application/json'][at] ?? '',
          body,
        }),
      );
    }
    proxy.intercept({ route: 'result' }, (passage) =>
      passage.answer({
        status: 400,
        contentType: 'application/problem+json',
        body: JSON.stringify({ ...problem, status: 400 }),
      }),
    );
    const ids = await cloud.queueMails(userId, [samplePayload(1), samplePayload(2), samplePayload(3)]);

    agent.start();
    const findings: string[] = [];
    let processes = 0;
    await until(
      async () => {
        const now = agent.pid === null ? null : search.inProcesses(agent.pid);
        processes = Math.max(processes, now?.processCount ?? 0);
        findings.push(...(now?.findings ?? []), ...search.inText('terminal', agent.words));
        // While the ledger is open its newest pages are in the WAL.
        findings.push(...(await search.inFolder(agent.data)).findings);
        await agent.tell({ command: 'resume' });
        await agent.tell({ command: 'check-now' });
        const mails = await Promise.all(ids.map((id) => cloud.operator.must('getRecipient', { params: { id } })));
        return mails.every(({ status }) => ['sent', 'send_failed'].includes(status));
      },
      () => agent.words.slice(-600),
    );
    said += agent.words;
    await agent.kill();
    const exported = `${agent.data}/exported.jsonl`;
    expect(await exportLog({ folder: logFolder(agent.data), to: exported, version: '1.0.0' })).toMatchObject({
      ok: true,
    });

    const disk = await search.inFolder(agent.data);
    findings.push(...disk.findings, ...search.inText('terminal', said));
    for (const id of ids) {
      const mail = await cloud.operator.must('getRecipient', { params: { id } });
      findings.push(...search.inText('the cloud’s record of the mail', JSON.stringify(mail)));
    }

    expect(processes).toBeGreaterThan(0);
    expect(disk.fileCount).toBeGreaterThan(2);
    expect(smtp.commands.filter((line) => line.startsWith('AUTH')).length).toBeGreaterThan(1);
    expect([...new Set(findings)]).toEqual([]);
  });
});
