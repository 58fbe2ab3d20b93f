-- One function for each command of the store. Each locks the head of the project before it looks at anything: every
-- statement after that sees what was committed while it waited, so a fence is never checked on old facts.

-- The machine's clock, which goes on within a transaction.
CREATE FUNCTION harness.wall_ms() RETURNS bigint LANGUAGE sql VOLATILE
AS $$ SELECT floor(extract(epoch FROM pg_catalog.clock_timestamp()) * 1000)::bigint $$;

-- Waits for its turn, refuses what may not write here, and gives the time of the store.
CREATE FUNCTION harness.begin_write(p jsonb) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  head harness.heads;
  moved text;
  oldest int;
  wall bigint;
  elapsed bigint;
  now_ms bigint;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'transactions of this role are %', current_setting('transaction_isolation') USING ERRCODE = 'HN003';
  END IF;
  SELECT * INTO head FROM harness.heads WHERE project = (p->>'project')::int FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'the project is gone' USING ERRCODE = 'HN004'; END IF;
  SELECT min_writer INTO oldest FROM harness.layout;
  IF oldest > (p->>'writer')::int THEN
    RAISE EXCEPTION 'writers of schema % or newer only', oldest USING ERRCODE = 'HN001';
  END IF;
  SELECT moved_to INTO moved FROM harness.projects WHERE id = head.project;
  IF moved IS NOT NULL THEN RAISE EXCEPTION '%', moved USING ERRCODE = 'HN002'; END IF;
  wall := harness.wall_ms();
  elapsed := greatest(0, wall - head.clock_wall_ms);
  -- As SQLite's: after a jump back it goes on from where it was, at nine tenths of the speed, till it is caught up with.
  now_ms := greatest(wall, head.clock_ms + elapsed - elapsed / 10);
  UPDATE harness.heads SET clock_ms = now_ms, clock_wall_ms = wall WHERE project = head.project;
  RETURN now_ms;
END $$;

CREATE FUNCTION harness.describe_lease(l harness.leases) RETURNS json LANGUAGE sql IMMUTABLE AS $$
  SELECT json_build_object('resource', l.resource, 'owner', l.owner, 'fence', l.fence, 'expiresAtMs', l.expires_at_ms)
$$;

-- A request that was made before has its token there already: it is given the same lease again.
CREATE FUNCTION harness.take_lease(of_project int, a jsonb, now_ms bigint) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  held harness.leases;
  is_free boolean;
BEGIN
  SELECT * INTO held FROM harness.leases WHERE project = of_project AND resource = a->>'resource';
  IF held.token = a->>'token' THEN RETURN json_build_object('ok', true, 'lease', harness.describe_lease(held)); END IF;
  is_free := held.project IS NULL OR held.token IS NULL OR now_ms >= held.expires_at_ms
    OR held.fence = (a->>'adoptedFence')::bigint;
  IF NOT coalesce(is_free, false) THEN RETURN json_build_object('ok', false, 'by', harness.describe_lease(held)); END IF;
  INSERT INTO harness.leases AS l (project, resource, fence, owner, token, expires_at_ms)
    VALUES (of_project, a->>'resource', coalesce(held.fence, 0) + 1, a->>'owner', a->>'token', now_ms + (a->>'ttlMs')::bigint)
    ON CONFLICT (project, resource) DO UPDATE
      SET fence = excluded.fence, owner = excluded.owner, token = excluded.token, expires_at_ms = excluded.expires_at_ms
    RETURNING * INTO held;
  RETURN json_build_object('ok', true, 'lease', harness.describe_lease(held));
END $$;

CREATE FUNCTION harness.free_lease(of_project int, lease jsonb) RETURNS void LANGUAGE sql VOLATILE AS $$
  UPDATE harness.leases SET owner = NULL, token = NULL, expires_at_ms = 0
    WHERE project = of_project AND resource = lease->>'resource'
$$;

CREATE FUNCTION harness.holds_lease(of_project int, lease jsonb, now_ms bigint) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT EXISTS (SELECT FROM harness.leases WHERE project = of_project AND resource = lease->>'resource'
    AND token = lease->>'token' AND fence = (lease->>'fence')::bigint AND (now_ms IS NULL OR now_ms < expires_at_ms))
$$;

CREATE FUNCTION harness.write_index(of_project int, i jsonb, with_summary boolean) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  DELETE FROM harness.task_index
    WHERE project = of_project AND id IN (SELECT jsonb_array_elements_text(i->'removed'));
  INSERT INTO harness.task_index (project, id, id_key, status, ready_rank, data)
    SELECT of_project, r.id, r.key, r.status, r.rank, r.data
    FROM jsonb_to_recordset(i->'rows') AS r(id text, key text, status text, rank text, data text)
    ON CONFLICT (project, id) DO UPDATE
      SET status = excluded.status, ready_rank = excluded.ready_rank, data = excluded.data;
  IF with_summary THEN
    INSERT INTO harness.summaries (project, body) VALUES (of_project, i->>'summary')
      ON CONFLICT (project) DO UPDATE SET body = excluded.body;
  END IF;
END $$;

-- The newest events that the caller did not know of, and whether what it brings may be written after them.
CREATE FUNCTION harness.read_tail(of_project int, p jsonb, OUT tail json, OUT may_follow boolean) LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  SELECT coalesce(json_agg(json_build_array(e.seq, e.stream, e.version, e.at_ms, e.type, e.task, e.body, e.sum) ORDER BY e.version), '[]'),
    count(*) = count(*) FILTER (WHERE e.apart = 2 OR (e.apart = 1 AND NOT (p->'touches') ? e.task))
    INTO tail, may_follow
    FROM (SELECT * FROM harness.events WHERE project = of_project AND stream = p->>'stream'
      AND version > (p->>'expectedVersion')::bigint ORDER BY version LIMIT (p->>'maxTail')::int) AS e;
END $$;

CREATE FUNCTION harness.append(p jsonb) RETURNS json LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' AS $$
DECLARE
  of_project int := (p->>'project')::int;
  now_ms bigint;
  known json;
  newest bigint;
  at_seq bigint;
  tail json := '[]';
  may_follow boolean := true;
  taken json;
  answer json;
BEGIN
  now_ms := harness.begin_write(p);
  SELECT a.answer INTO known FROM harness.answers a WHERE a.project = of_project AND a.id = p->>'id';
  IF FOUND THEN RETURN known; END IF;
  IF p ? 'lease' AND NOT harness.holds_lease(of_project, p->'lease', now_ms) THEN
    RETURN '{"ok":false,"why":"fenced"}';
  END IF;
  SELECT coalesce(max(version), 0) INTO newest FROM harness.events WHERE project = of_project AND stream = p->>'stream';
  IF newest <> (p->>'expectedVersion')::bigint THEN
    SELECT * INTO tail, may_follow FROM harness.read_tail(of_project, p);
    may_follow := may_follow AND p ? 'touches'
      AND json_array_length(tail) = newest - (p->>'expectedVersion')::bigint;
  END IF;
  IF NOT may_follow THEN
    RETURN json_build_object('ok', false, 'why', 'conflict', 'version', newest, 'tail', tail);
  END IF;
  IF p ? 'acquire' THEN
    taken := harness.take_lease(of_project, p->'acquire', now_ms);
    IF NOT (taken->>'ok')::boolean THEN RETURN json_build_object('ok', false, 'why', 'held', 'by', taken->'by'); END IF;
  END IF;
  IF p ? 'release' THEN PERFORM harness.free_lease(of_project, p->'lease'); END IF;
  SELECT seq INTO at_seq FROM harness.heads WHERE project = of_project;
  INSERT INTO harness.events (project, seq, stream, version, at_ms, type, task, apart, body, sum)
    SELECT of_project, at_seq + n, p->>'stream', newest + n, (p->>'atMs')::bigint,
      e->>'type', e->>'task', (e->>'apart')::smallint, e->>'body', (e->>'sum')::bigint
    FROM jsonb_array_elements(p->'events') WITH ORDINALITY AS given(e, n);
  at_seq := at_seq + jsonb_array_length(p->'events');
  UPDATE harness.heads SET seq = at_seq WHERE project = of_project;
  IF p ? 'index' THEN PERFORM harness.write_index(of_project, p->'index', json_array_length(tail) = 0); END IF;
  answer := json_build_object('ok', true, 'version', newest + jsonb_array_length(p->'events'), 'seq', at_seq,
    'lease', taken->'lease', 'tail', tail);
  INSERT INTO harness.answers (project, id, answer, wall_ms) VALUES (of_project, p->>'id', answer, harness.wall_ms());
  -- Whoever has not asked again within an hour never will.
  DELETE FROM harness.answers WHERE project = of_project AND wall_ms < harness.wall_ms() - 3600000;
  RETURN answer;
END $$;

CREATE FUNCTION harness.acquire(p jsonb) RETURNS json LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' AS $$
DECLARE
  now_ms bigint;
BEGIN
  now_ms := harness.begin_write(p);
  RETURN harness.take_lease((p->>'project')::int, p->'acquire', now_ms);
END $$;

CREATE FUNCTION harness.renew(p jsonb) RETURNS json LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' AS $$
DECLARE
  now_ms bigint;
BEGIN
  now_ms := harness.begin_write(p);
  IF NOT harness.holds_lease((p->>'project')::int, p->'lease', NULL) THEN RETURN NULL; END IF;
  UPDATE harness.leases SET expires_at_ms = now_ms + (p->>'ttlMs')::bigint
    WHERE project = (p->>'project')::int AND resource = p->'lease'->>'resource';
  RETURN json_build_object('expiresAtMs', now_ms + (p->>'ttlMs')::bigint);
END $$;

CREATE FUNCTION harness.release(p jsonb) RETURNS json LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' AS $$
BEGIN
  PERFORM harness.begin_write(p);
  IF harness.holds_lease((p->>'project')::int, p->'lease', NULL) THEN
    PERFORM harness.free_lease((p->>'project')::int, p->'lease');
  END IF;
  RETURN NULL;
END $$;

-- The project of a key, made where it has never been asked for.
CREATE FUNCTION harness.open_project(p jsonb) RETURNS json LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' AS $$
DECLARE
  found harness.projects;
BEGIN
  SELECT * INTO found FROM harness.projects WHERE key = p->>'key';
  IF found.id IS NULL THEN
    INSERT INTO harness.projects (key, name, made_ms) VALUES (p->>'key', p->>'name', harness.wall_ms())
      ON CONFLICT (key) DO NOTHING;
    SELECT * INTO found FROM harness.projects WHERE key = p->>'key';
    INSERT INTO harness.heads (project, clock_ms, clock_wall_ms) VALUES (found.id, harness.wall_ms(), harness.wall_ms())
      ON CONFLICT (project) DO NOTHING;
  END IF;
  RETURN json_build_object('id', found.id, 'movedTo', found.moved_to);
END $$;
