/** Marks the file as this program's ledger in SQLite's header: "MAGL". */
export const APPLICATION_ID = 0x4d41474c;

/** Leads from the version before to `version`; versions count from 1 without gaps. */
export type Migration = { readonly version: number; readonly sql: string };

/**
 * Every schema there ever was, oldest first. A released text is never edited, not even its spaces: the file's own
 * schema is compared with what these texts make.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    sql: `
-- commit_count grows by one in every commit, so that a commit of unknown outcome can be looked up.
CREATE TABLE meta (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  commit_count INTEGER NOT NULL
) STRICT;
INSERT INTO meta (one, commit_count) VALUES (1, 0);

-- state_nonce: of a claimed mail the nonce that is settling, of an uncertain one the nonce that may have been used.
-- due_at_ms: when a claimed mail that is not settling may be tried.
CREATE TABLE mail (
  claim_order INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  idempotency_key TEXT NOT NULL UNIQUE,
  payload_hash TEXT NOT NULL,
  task_id TEXT NOT NULL,
  task_name TEXT NOT NULL,
  not_before_ms INTEGER,
  not_after_ms INTEGER,
  claimed_at_ms INTEGER NOT NULL,
  changed_at_ms INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN
    ('claimed', 'attempting', 'handed-over', 'sent', 'failed', 'uncertain', 'cancelled', 'released')),
  attempt INTEGER NOT NULL CHECK (attempt >= 0),
  retry_at_ms INTEGER,
  state_nonce TEXT,
  due_at_ms INTEGER,
  UNIQUE (idempotency_key, payload_hash),
  CHECK ((state = 'claimed') = (retry_at_ms IS NOT NULL)),
  CHECK (state_nonce IS NULL OR state IN ('claimed', 'uncertain')),
  CHECK ((state = 'claimed' AND state_nonce IS NULL) = (due_at_ms IS NOT NULL))
) STRICT;
CREATE INDEX mail_due ON mail (claim_order, due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX mail_held ON mail (claim_order)
  WHERE state IN ('claimed', 'attempting', 'handed-over', 'uncertain');
CREATE INDEX mail_by_state ON mail (state, changed_at_ms, claim_order);

-- Apart from mail, so that a change of state does not write a long text again.
CREATE TABLE payload (
  mail_id TEXT NOT NULL PRIMARY KEY REFERENCES mail (id),
  payload TEXT NOT NULL
) STRICT;

-- submitted_at_ms: when the mail may have reached the server, null where it certainly did not.
CREATE TABLE attempt (
  seq INTEGER PRIMARY KEY,
  mail_id TEXT NOT NULL REFERENCES mail (id),
  attempt INTEGER NOT NULL CHECK (attempt >= 0),
  started_at_ms INTEGER NOT NULL,
  handed_over_at_ms INTEGER,
  submitted_at_ms INTEGER,
  ended_at_ms INTEGER,
  outcome TEXT CHECK (outcome IN ('accepted', 'refused', 'not-sent', 'lost')),
  nonce TEXT,
  stage TEXT,
  class TEXT,
  code INTEGER,
  enhanced TEXT,
  reply_text TEXT,
  message TEXT,
  CHECK (outcome IS NULL OR ended_at_ms IS NOT NULL),
  CHECK (nonce IS NULL OR outcome IS NOT NULL)
) STRICT;
CREATE INDEX attempt_of_mail ON attempt (mail_id, seq);
CREATE UNIQUE INDEX attempt_running ON attempt (mail_id) WHERE ended_at_ms IS NULL;
CREATE INDEX attempt_submitted ON attempt (submitted_at_ms) WHERE submitted_at_ms IS NOT NULL;

CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY,
  mail_id TEXT NOT NULL REFERENCES mail (id),
  route TEXT NOT NULL CHECK (route IN ('result', 'notSent')),
  body TEXT NOT NULL,
  nonce TEXT,
  written_at_ms INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  next_try_at_ms INTEGER NOT NULL,
  ended TEXT CHECK (ended IN ('told', 'conflict')),
  ended_at_ms INTEGER,
  problem TEXT,
  stored TEXT,
  CHECK ((ended IS NULL) = (ended_at_ms IS NULL)),
  CHECK ((ended IS 'conflict') = (problem IS NOT NULL))
) STRICT;
CREATE INDEX outbox_of_mail ON outbox (mail_id, seq);
CREATE INDEX outbox_untold ON outbox (mail_id, seq) WHERE ended IS NULL;
CREATE INDEX outbox_conflict ON outbox (seq) WHERE ended = 'conflict';

CREATE TABLE claim (
  seq INTEGER PRIMARY KEY,
  claim_id TEXT NOT NULL UNIQUE,
  asked_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE hold (
  kind TEXT NOT NULL PRIMARY KEY,
  since_ms INTEGER NOT NULL,
  until_ms INTEGER,
  text TEXT NOT NULL,
  repeat INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`,
  },
  {
    version: 2,
    sql: `
-- A fact is told like an outcome, and may be refused without harm.
CREATE TABLE new_outbox (
  seq INTEGER PRIMARY KEY,
  mail_id TEXT NOT NULL REFERENCES mail (id),
  route TEXT NOT NULL CHECK (route IN ('result', 'notSent', 'fact')),
  body TEXT NOT NULL,
  nonce TEXT,
  written_at_ms INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  next_try_at_ms INTEGER NOT NULL,
  ended TEXT CHECK (ended IN ('told', 'conflict', 'refused')),
  ended_at_ms INTEGER,
  problem TEXT,
  stored TEXT,
  CHECK ((ended IS NULL) = (ended_at_ms IS NULL)),
  CHECK ((ended IS 'conflict' OR ended IS 'refused') = (problem IS NOT NULL))
) STRICT;
INSERT INTO new_outbox SELECT * FROM outbox;
DROP TABLE outbox;
ALTER TABLE new_outbox RENAME TO outbox;
CREATE INDEX outbox_of_mail ON outbox (mail_id, seq);
CREATE INDEX outbox_untold ON outbox (mail_id, seq) WHERE ended IS NULL;
CREATE INDEX outbox_conflict ON outbox (seq) WHERE ended = 'conflict';

-- What was learned about a mail after its end: it bounced, or somebody answered.
CREATE TABLE fact (
  seq INTEGER PRIMARY KEY,
  mail_id TEXT NOT NULL REFERENCES mail (id),
  id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('bounced', 'replied')),
  at_ms INTEGER NOT NULL,
  hard INTEGER CHECK (hard IN (0, 1)),
  status TEXT,
  text TEXT,
  UNIQUE (mail_id, id),
  CHECK ((kind = 'bounced') = (hard IS NOT NULL)),
  CHECK ((kind = 'bounced') = (text IS NOT NULL))
) STRICT;

-- Message-IDs that providers gave in place of ours.
CREATE TABLE mail_name (
  message_id TEXT NOT NULL PRIMARY KEY,
  mail_id TEXT NOT NULL REFERENCES mail (id)
) STRICT, WITHOUT ROWID;

-- Mails whose copy in the Sent folder is settled.
CREATE TABLE sent_copy (
  mail_id TEXT NOT NULL PRIMARY KEY REFERENCES mail (id),
  ended TEXT NOT NULL CHECK (ended IN ('kept', 'there-already', 'given-up')),
  at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Addresses that bounced for good: no later mail to them begins until a person says so.
CREATE TABLE held_address (
  address TEXT NOT NULL PRIMARY KEY,
  since_ms INTEGER NOT NULL,
  mail_id TEXT NOT NULL REFERENCES mail (id),
  text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`,
  },
  {
    version: 3,
    sql: `
-- seen_at_ms: when a person took note of a failure or a conflict.
ALTER TABLE mail ADD COLUMN seen_at_ms INTEGER;
ALTER TABLE outbox ADD COLUMN seen_at_ms INTEGER;
CREATE INDEX mail_of_task ON mail (task_id);

-- The cloud's latest word on a task, counted over all agents of the user.
CREATE TABLE told_task (
  task_id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  total INTEGER NOT NULL,
  queued INTEGER NOT NULL,
  sent INTEGER NOT NULL,
  failed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX told_task_queued ON told_task (task_id) WHERE queued > 0;
`,
  },
];
