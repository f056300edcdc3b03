-- Who may take mails: users, their agents, and the one-time codes that pair an agent with a user.

CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 200),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE agents (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users (id),
  name text NOT NULL,
  platform text NOT NULL,
  version text NOT NULL,
  -- SHA-256 of the token; the token itself is known to its agent alone.
  token_hash bytea NOT NULL UNIQUE,
  desired_state text NOT NULL DEFAULT 'running' CHECK (desired_state IN ('running', 'paused')),
  -- An operator resumed this agent and it has not been seen at work since.
  resume_pending boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);
CREATE INDEX agents_by_user ON agents (user_id);

CREATE TABLE pairing_codes (
  code_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);

-- One narrow row an agent, updated in place: room is left in each page, and no changing column is indexed.
CREATE TABLE heartbeats (
  agent_id uuid PRIMARY KEY REFERENCES agents (id),
  at timestamptz NOT NULL,
  interval_seconds integer NOT NULL,
  boot_id uuid NOT NULL,
  state text NOT NULL,
  why text,
  holding integer NOT NULL,
  sent integer NOT NULL,
  failed integer NOT NULL,
  uncertain integer NOT NULL,
  untold integer NOT NULL,
  version text NOT NULL,
  -- Heartbeats in a row whose count of held mails was not ours.
  mismatches smallint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Attachments, served by an id that cannot be guessed.
CREATE TABLE files (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL,
  type text NOT NULL,
  size integer NOT NULL,
  sha256 text NOT NULL,
  content bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
