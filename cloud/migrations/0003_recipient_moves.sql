-- The transition table, and the trigger that refuses whatever is not in it, by whatever statement.
-- Nothing here looks at a clock: no mail leaves `sending` because time has passed.

CREATE TABLE recipient_moves (
  from_status text NOT NULL,
  to_status text NOT NULL,
  -- Only while no attempt has begun and the mail is not marked uncertain.
  needs_not_begun boolean NOT NULL,
  PRIMARY KEY (from_status, to_status)
);
INSERT INTO recipient_moves (from_status, to_status, needs_not_begun) VALUES
  ('draft', 'queued', false),
  ('draft', 'cancelled', false),
  ('queued', 'sending', false),
  ('queued', 'cancelled', false),
  ('sending', 'sent', false),
  ('sending', 'send_failed', false),
  ('sending', 'cancelled', true),
  ('sending', 'queued', true);

ALTER TABLE recipients ADD CONSTRAINT status_is_known
  CHECK (status IN ('draft', 'queued', 'sending', 'sent', 'send_failed', 'cancelled'));

CREATE FUNCTION refuse_move(reason text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'MA001', MESSAGE = reason;
END $$;

CREATE FUNCTION guard_recipient() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  who constant text := coalesce(NEW.actor, 'sql:' || session_user);
  why constant jsonb := NEW.note;
  old_status text;
  needs_not_begun boolean;
  happened text;
BEGIN
  NEW.actor := NULL;
  NEW.note := NULL;
  IF TG_OP = 'INSERT' THEN
    IF NEW.status NOT IN ('draft', 'queued') THEN
      PERFORM refuse_move(format('a mail cannot start as %s', NEW.status));
    END IF;
    happened := 'created';
  ELSE
    old_status := OLD.status;
    IF NEW.status = OLD.status AND OLD.status IN ('sent', 'send_failed', 'cancelled') THEN
      -- The generated column is not known yet in this place; it follows from the id, which cannot be updated.
      IF to_jsonb(NEW) - 'idempotency_key' IS DISTINCT FROM to_jsonb(OLD) - 'idempotency_key' THEN
        PERFORM refuse_move(format('a mail that is %s never changes', OLD.status));
      END IF;
      RETURN NEW;
    END IF;
    IF NOT OLD.retired_nonces <@ NEW.retired_nonces THEN
      PERFORM refuse_move('a retired nonce stays retired');
    END IF;
    IF NEW.status <> OLD.status THEN
      SELECT m.needs_not_begun INTO needs_not_begun
        FROM recipient_moves m WHERE m.from_status = OLD.status AND m.to_status = NEW.status;
      IF NOT FOUND THEN
        PERFORM refuse_move(format('a mail cannot move from %s to %s', OLD.status, NEW.status));
      END IF;
      IF needs_not_begun AND (OLD.begun_nonce IS NOT NULL OR OLD.uncertain_since IS NOT NULL) THEN
        PERFORM refuse_move(format('a mail that has begun cannot move from %s to %s', OLD.status, NEW.status));
      END IF;
      IF NEW.status = 'sent' AND OLD.begun_nonce IS NULL AND OLD.uncertain_since IS NULL THEN
        PERFORM refuse_move('a mail that has not begun cannot be sent');
      END IF;
      IF NEW.begun_nonce IS DISTINCT FROM OLD.begun_nonce THEN
        PERFORM refuse_move('a move leaves the begun mark alone');
      END IF;
      NEW.status_since := now();
      happened := 'move';
    ELSE
      IF (NEW.agent_id, NEW.claim_id) IS DISTINCT FROM (OLD.agent_id, OLD.claim_id) THEN
        PERFORM refuse_move('a mail changes its holder only through the queue');
      END IF;
      IF NEW.begun_nonce IS DISTINCT FROM OLD.begun_nonce THEN
        IF OLD.begun_nonce IS NULL THEN
          IF NEW.begun_nonce = ANY (OLD.retired_nonces) THEN
            PERFORM refuse_move('a retired nonce cannot begin');
          END IF;
          happened := 'begin';
        ELSIF NEW.begun_nonce IS NULL AND OLD.begun_nonce = ANY (NEW.retired_nonces) THEN
          happened := 'not-sent';
        ELSE
          PERFORM refuse_move('the begun mark ends only by retiring its nonce');
        END IF;
      ELSIF NEW.uncertain_since IS DISTINCT FROM OLD.uncertain_since THEN
        IF NEW.uncertain_since IS NULL THEN
          PERFORM refuse_move('the uncertain mark ends only with a result');
        END IF;
        happened := 'uncertain';
      ELSIF NEW.retired_nonces IS DISTINCT FROM OLD.retired_nonces THEN
        happened := 'not-sent';
      END IF;
    END IF;
  END IF;
  IF happened IS NOT NULL THEN
    INSERT INTO recipient_history (recipient_id, actor, event, from_status, to_status, detail)
      VALUES (NEW.id, who, happened, old_status, NEW.status, why);
  END IF;
  IF NEW.status = 'queued' AND NEW.status IS DISTINCT FROM old_status THEN
    PERFORM pg_notify('mail_agent_queued', NEW.user_id::text);
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER guard_recipient BEFORE INSERT OR UPDATE ON recipients
  FOR EACH ROW EXECUTE FUNCTION guard_recipient();

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_move(format('%s: what was confirmed never changes', TG_TABLE_NAME));
  RETURN NULL;
END $$;

-- Fires only for statements that name one of these columns, so that no move pays for it.
CREATE TRIGGER keep_recipient BEFORE UPDATE OF
    task_id, user_id, created_at, to_address, subject, payload_hash, payload_bytes, resend_of
  ON recipients FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER keep_recipient_row BEFORE DELETE ON recipients FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER keep_payload BEFORE UPDATE OR DELETE ON payloads FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER keep_history BEFORE UPDATE OR DELETE ON recipient_history
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER keep_moves BEFORE INSERT OR UPDATE OR DELETE ON recipient_moves
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
