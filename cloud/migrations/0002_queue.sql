-- The queue: a task is confirmed as one, each of its recipients is one mail.

CREATE TABLE tasks (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users (id),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'sending')),
  created_at timestamptz NOT NULL DEFAULT now(),
  confirmed_at timestamptz
);

CREATE TABLE recipients (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  task_id uuid NOT NULL REFERENCES tasks (id),
  user_id uuid NOT NULL REFERENCES users (id),
  idempotency_key text NOT NULL GENERATED ALWAYS AS ('email-recipient-' || id::text) STORED,
  status text NOT NULL,
  status_since timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  -- For people who look for a mail; the payload is what counts.
  to_address text NOT NULL,
  subject text NOT NULL,
  payload_hash text NOT NULL CHECK (payload_hash ~ '^sha256:[0-9a-f]{64}$'),
  payload_bytes integer NOT NULL,
  not_before timestamptz,
  not_after timestamptz,
  -- The mail this one is a new copy of. Unique: one mail is sent again at most once, by whomever.
  resend_of bigint UNIQUE REFERENCES recipients (id),
  -- Who holds the mail, or held it last.
  agent_id uuid REFERENCES agents (id),
  claim_id uuid,
  -- The fence: set while one attempt may have handed the mail over.
  begun_nonce text,
  begun_at timestamptz,
  -- Nonces told as not sent. In this row, so that a `begin` waiting for its lock sees the latest.
  retired_nonces text[] NOT NULL DEFAULT '{}',
  attempt integer NOT NULL DEFAULT 0,
  uncertain_since timestamptz,
  uncertain_reason text,
  smtp_message_id text,
  error_message text,
  -- Stage, class, reply, nonce and evidence of the result, as it was told.
  result jsonb,
  -- Handed to the history by the statement that changes the row; never kept.
  actor text CHECK (actor IS NULL),
  note jsonb CHECK (note IS NULL),
  CONSTRAINT waiting_mails_have_no_holder CHECK (
    status NOT IN ('draft', 'queued')
    OR (agent_id IS NULL AND claim_id IS NULL AND begun_nonce IS NULL AND uncertain_since IS NULL)
  ),
  CONSTRAINT sending_mails_have_a_holder CHECK (status <> 'sending' OR (agent_id IS NOT NULL AND claim_id IS NOT NULL)),
  CONSTRAINT only_final_mails_have_a_result CHECK (
    status IN ('sent', 'send_failed')
    OR (smtp_message_id IS NULL AND error_message IS NULL AND result IS NULL)
  )
) WITH (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- The claim reads this from its left end.
CREATE INDEX recipients_queued ON recipients (user_id, created_at, id) WHERE status = 'queued';
CREATE INDEX recipients_held ON recipients (agent_id, id) WHERE status = 'sending';
CREATE INDEX recipients_by_task ON recipients (task_id, id);
CREATE INDEX recipients_by_user ON recipients (user_id, id);

-- Apart from the recipient, whose row is written again at every move.
CREATE TABLE payloads (
  recipient_id bigint PRIMARY KEY REFERENCES recipients (id),
  -- JSON text exactly as given: the payload hash is over its values, which jsonb would rewrite.
  payload text NOT NULL CHECK (json_typeof(payload::json) = 'object')
);

-- One row for each claim that took mails; the same claim_id of the same agent finds its row and is answered from it.
CREATE TABLE claims (
  agent_id uuid NOT NULL REFERENCES agents (id),
  claim_id uuid NOT NULL,
  claimed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (agent_id, claim_id)
);

-- One row for everything that ever happened to a mail. Written by the trigger in the transaction of the change, so
-- a foreign key would check what is certain.
CREATE TABLE recipient_history (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  recipient_id bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  actor text NOT NULL,
  event text NOT NULL CHECK (event IN ('created', 'move', 'begin', 'not-sent', 'uncertain')),
  from_status text,
  to_status text NOT NULL,
  detail jsonb
);
CREATE INDEX recipient_history_by_recipient ON recipient_history (recipient_id, id);
