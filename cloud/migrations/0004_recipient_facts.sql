-- What was learned about a mail after its result: it bounced, or it was answered. The result stays as it is.

CREATE TABLE recipient_facts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  recipient_id bigint NOT NULL REFERENCES recipients (id),
  -- The agent's name for the letter: telling it again adds nothing.
  fact_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('bounced', 'replied')),
  -- When the letter arrived, by the mailbox's clock.
  at timestamptz NOT NULL,
  agent_id uuid NOT NULL REFERENCES agents (id),
  told_at timestamptz NOT NULL DEFAULT now(),
  -- The address itself refused.
  hard boolean,
  status_code text,
  text text,
  UNIQUE (recipient_id, fact_id),
  CONSTRAINT bounces_say_why CHECK ((kind = 'bounced') = (hard IS NOT NULL AND text IS NOT NULL))
);

ALTER TABLE recipient_history DROP CONSTRAINT recipient_history_event_check;
ALTER TABLE recipient_history ADD CONSTRAINT recipient_history_event_check
  CHECK (event IN ('created', 'move', 'begin', 'not-sent', 'uncertain', 'bounced', 'replied'));

-- In the transaction of the fact, as every other line of the history.
CREATE FUNCTION note_fact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO recipient_history (recipient_id, actor, event, from_status, to_status, detail)
    SELECT r.id, 'agent:' || NEW.agent_id::text, NEW.kind, r.status, r.status,
           jsonb_build_object('fact_id', NEW.fact_id, 'at', NEW.at, 'hard', NEW.hard, 'status', NEW.status_code,
                              'text', NEW.text)
      FROM recipients r WHERE r.id = NEW.recipient_id;
  RETURN NULL;
END $$;
CREATE TRIGGER note_fact AFTER INSERT ON recipient_facts FOR EACH ROW EXECUTE FUNCTION note_fact();
CREATE TRIGGER keep_fact BEFORE UPDATE OR DELETE ON recipient_facts FOR EACH ROW EXECUTE FUNCTION refuse_change();
