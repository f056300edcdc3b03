-- A heartbeat is answered with the user's latest tasks.

CREATE INDEX tasks_confirmed_by_user ON tasks (user_id, confirmed_at DESC) WHERE status = 'sending';
