-- What a fold came to: a cache, which nothing else of the project refers to. Beside the functions that write events,
-- since it has to go in one step with the parts that it names.
CREATE TABLE harness.saved (
  project int NOT NULL REFERENCES harness.projects,
  stream text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  body bytea NOT NULL,
  sum bigint NOT NULL,
  PRIMARY KEY (project, stream, name)
);

-- Puts a head in the place of the one before, with every part that it does not name; not where one of its own is gone.
CREATE FUNCTION harness.put_saved(p jsonb, head bytea) RETURNS boolean LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' AS $$
DECLARE
  of_project int := (p->>'project')::int;
BEGIN
  PERFORM harness.begin_write(p);
  IF EXISTS (SELECT FROM jsonb_array_elements_text(p->'parts') AS part(name) WHERE NOT EXISTS (
      SELECT FROM harness.saved s WHERE s.project = of_project AND s.stream = p->>'stream' AND s.name = part.name)) THEN
    RETURN false;
  END IF;
  DELETE FROM harness.saved s WHERE s.project = of_project AND s.stream = p->>'stream' AND NOT (p->'parts') ? s.name;
  INSERT INTO harness.saved (project, stream, name, body, sum)
    VALUES (of_project, p->>'stream', p->>'head', head, (p->>'sum')::bigint);
  RETURN true;
END $$;
