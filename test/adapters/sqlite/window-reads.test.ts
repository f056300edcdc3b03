import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWindowReads, type WindowReads } from '../../../src/main/adapters/sqlite/window-reads.ts';
import { claimed, commitAll, newMail, sendMail } from '../../conformance/ledger-samples.ts';
import { inFolder, meddle, opened } from './ledger-folder.ts';

/** Five mails of two tasks: sent, failed, uncertain, waiting and given back. */
const FILL = `
INSERT INTO mail (id, idempotency_key, payload_hash, task_id, task_name, claimed_at_ms, changed_at_ms, state, attempt,
  retry_at_ms, due_at_ms)
VALUES ('1', 'k1', 'h', 'spring', 'Spring', 1, 10, 'sent', 1, NULL, NULL),
       ('2', 'k2', 'h', 'spring', 'Spring', 1, 50, 'failed', 1, NULL, NULL),
       ('3', 'k3', 'h', 'spring', 'Spring', 1, 30, 'uncertain', 1, NULL, NULL),
       ('4', 'k4', 'h', 'autumn', 'Autumn', 1, 40, 'claimed', 0, 0, 0),
       ('5', 'k5', 'h', 'autumn', 'Autumn', 1, 60, 'released', 0, NULL, NULL);
INSERT INTO payload (mail_id, payload) VALUES
  ('1', '{"to":{"name":"李雷","address":"li@example.net"},"subject":"报价 50%"}'),
  ('2', '{"to":{"address":"Han@example.net"},"subject":"Offer"}'),
  ('3', '{"to":{"name":"Anna","address":"anna@example.net"},"subject":"offer again"}'),
  ('4', '{"to":{"name":7,"address":"b@example.net"},"subject":"Later"}'),
  ('5', '{}');
INSERT INTO attempt (mail_id, attempt, started_at_ms, ended_at_ms, outcome, stage, class, message)
VALUES ('2', 1, 1, 2, 'not-sent', 'connect', 'connection', 'first'), ('2', 2, 3, 4, 'refused', 'envelope', 'recipient-invalid', 'last');
INSERT INTO outbox (mail_id, route, body, written_at_ms, tries, next_try_at_ms, ended, ended_at_ms, problem, stored) VALUES
  ('2', 'notSent', '{"n":1}', 1, 1, 0, 'told', 5, NULL, NULL),
  ('2', 'result', '{"n":2}', 1, 1, 0, 'conflict', 6, 'conflicting-result', '{"status":"sent"}');
`;

function reading(look: (reads: WindowReads) => void): void {
  inFolder((folder) => {
    opened(folder).ledger.close();
    meddle(folder, FILL);
    const reads = openWindowReads(folder);
    try {
      look(reads);
    } finally {
      reads.close();
    }
  });
}

const ALL = { kinds: null, text: '', limit: 10, offset: 0 } as const;

describe('what a window reads of the ledger', () => {
  it('lists mails by their newest change, page by page, with the whole count', () => {
    reading((reads) => {
      expect(reads.mails(ALL).rows.map(({ id }) => id)).toEqual(['5', '2', '4', '3', '1']);
      const page = reads.mails({ ...ALL, limit: 2, offset: 1 });
      expect(page.rows.map(({ id }) => id)).toEqual(['2', '4']);
      expect(page.total).toBe(5);
    });
  });

  it('is read on a connection that cannot write', () => {
    inFolder((folder) => {
      opened(folder).ledger.close();
      const file = path.join(folder, 'ledger.sqlite');
      const handles = () =>
        readdirSync('/proc/self/fd').filter((fd) => {
          const link = `/proc/self/fd/${fd}`;
          return existsSync(link) && readlinkSync(link) === realpathSync(file);
        });
      const reads = openWindowReads(folder);
      reads.mails(ALL);
      const flags = handles().map(
        (fd) => /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1],
      );
      reads.close();
      // The last digit is the access mode of open(2): 0 reads, 1 writes, 2 does both.
      expect(flags.map((flag) => flag?.at(-1))).toEqual(['0']);
    });
  });

  it('reads nothing any more once it was closed', () => {
    inFolder((folder) => {
      opened(folder).ledger.close();
      const reads = openWindowReads(folder);
      reads.close();
      expect(() => reads.mails(ALL)).toThrow('not open');
    });
  });

  it('finds text in name, address and subject, as it stands and in either case', () => {
    reading((reads) => {
      const found = (text: string) => reads.mails({ ...ALL, text }).rows.map(({ id }) => id);
      expect(found('OFFER')).toEqual(['2', '3']);
      expect(found(' han@ ')).toEqual(['2']);
      expect(found('李雷')).toEqual(['1']);
      expect(found('50%')).toEqual(['1']);
      expect(found('%')).toEqual(['1']);
      expect(found("' OR 1 --")).toEqual([]);
      expect(reads.mails({ ...ALL, text: 'offer', kinds: ['failed'] })).toMatchObject({
        total: 1,
        rows: [{ id: '2' }],
      });
    });
  });

  it('shows what it can of a payload in another form', () => {
    reading((reads) => {
      const rows = reads.mails(ALL).rows;
      expect(rows.find(({ id }) => id === '5')).toMatchObject({ toName: null, toAddress: '', subject: '' });
      expect(rows.find(({ id }) => id === '4')).toMatchObject({ toName: '7' });
    });
  });

  it('names why a mail failed by its last attempt, and forgets old failures', () => {
    reading((reads) => {
      expect(reads.failed(0, 10)).toMatchObject([{ id: '2', class: 'recipient-invalid', message: 'last' }]);
      expect(reads.failed(51, 10)).toEqual([]);
    });
  });

  it('finds conflicts, and every report of one mail in order', () => {
    reading((reads) => {
      expect(reads.conflicts(10)).toMatchObject([{ mailId: '2', body: '{"n":2}', stored: '{"status":"sent"}' }]);
      expect(reads.reports('2').map(({ ended }) => ended)).toEqual(['told', 'conflict']);
    });
  });

  it('shows what the cloud has instead, whatever that is', () => {
    inFolder((folder) => {
      const { ledger } = opened(folder);
      const reads = openWindowReads(folder);
      for (const [index, stored] of [{ status: 'cancelled' }, null, undefined].entries()) {
        const id = `${index + 1}`;
        commitAll(ledger, claimed([newMail(index + 1)]));
        sendMail(ledger, id, index);
        const end = { kind: 'conflict', problem: 'conflicting-result', stored } as const;
        const seq = ledger.reportFor(id, null)?.seq ?? 0;
        commitAll(ledger, { kind: 'report-ended', seq, end, atMs: 10 });
      }
      const shown = Object.fromEntries(reads.conflicts(10).map(({ mailId, stored }) => [mailId, stored]));
      expect(shown).toEqual({ 1: '{"status":"cancelled"}', 2: 'null', 3: 'null' });
      reads.close();
      ledger.close();
    });
  });

  it('leaves out what a person has taken note of', () => {
    inFolder((folder) => {
      opened(folder).ledger.close();
      meddle(folder, FILL);
      const { ledger } = opened(folder);
      const reads = openWindowReads(folder);
      commitAll(ledger, { kind: 'seen', what: 'failure', mailIds: ['2', '1'], atMs: 70 });
      expect(reads.failed(0, 10)).toEqual([]);
      expect(reads.conflicts(10)).toHaveLength(1);
      commitAll(ledger, { kind: 'seen', what: 'conflict', mailIds: ['2'], atMs: 70 });
      expect(reads.conflicts(10)).toEqual([]);
      reads.close();
      ledger.close();
    });
  });

  it('sees each commit of the open ledger', () => {
    inFolder((folder) => {
      const { ledger } = opened(folder);
      const reads = openWindowReads(folder);
      expect(reads.mails(ALL).total).toBe(0);
      const mail = {
        id: '9',
        idempotencyKey: 'email-recipient-9',
        payloadHash: `sha256:${'0'.repeat(64)}`,
        taskId: 't',
        taskName: 'T',
        payload: {},
        notBeforeMs: null,
        notAfterMs: null,
        claimedAtMs: 1,
      };
      const written = ledger.commit([{ kind: 'mails-claimed', claimId: null, mails: [mail], atMs: 1 }]);

      expect(written.ok).toBe(true);
      expect(reads.mails(ALL).total).toBe(1);
      reads.close();
      ledger.close();
    });
  });
});
