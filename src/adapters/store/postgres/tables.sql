-- Everything of the harness lies in a schema of its own, and every name is written with it: behind a transaction
-- pooler no search_path can be relied on. Texts are compared by their bytes, as SQLite does it.
CREATE SCHEMA IF NOT EXISTS harness;

CREATE TABLE harness.layout (
  one int PRIMARY KEY CHECK (one = 1),
  version int NOT NULL,
  min_writer int NOT NULL,
  made_by text NOT NULL
);

CREATE TABLE harness.projects (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text COLLATE "C" NOT NULL UNIQUE,
  name text NOT NULL,
  made_ms bigint NOT NULL,
  moved_to text
);

-- The row that every writer of a project locks first: the number of its newest event, and its clock.
CREATE TABLE harness.heads (
  project int PRIMARY KEY REFERENCES harness.projects,
  seq bigint NOT NULL DEFAULT 0,
  clock_ms bigint NOT NULL,
  clock_wall_ms bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE harness.events (
  project int NOT NULL REFERENCES harness.projects,
  seq bigint NOT NULL,
  stream text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  at_ms bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  task text COLLATE "C",
  -- Who may be written after this event without having known of it: 0 nobody, 1 facts about other tasks, 2 all facts.
  apart smallint NOT NULL,
  body text NOT NULL,
  sum bigint NOT NULL,
  PRIMARY KEY (project, seq),
  UNIQUE (project, stream, version)
);
CREATE INDEX events_by_task ON harness.events (project, task, seq) WHERE task IS NOT NULL;
CREATE INDEX events_by_type ON harness.events (project, type, seq);
CREATE INDEX events_by_time ON harness.events (project, at_ms, seq);

CREATE TABLE harness.leases (
  project int NOT NULL REFERENCES harness.projects,
  resource text COLLATE "C" NOT NULL,
  fence bigint NOT NULL,
  owner text,
  token text,
  expires_at_ms bigint NOT NULL,
  PRIMARY KEY (project, resource)
);

CREATE TABLE harness.task_index (
  project int NOT NULL REFERENCES harness.projects,
  id text COLLATE "C" NOT NULL,
  id_key text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  ready_rank text COLLATE "C",
  data text NOT NULL,
  PRIMARY KEY (project, id)
);

CREATE TABLE harness.summaries (
  project int PRIMARY KEY REFERENCES harness.projects,
  body text NOT NULL
);

-- What was answered to an append, for whoever lost the answer and asks again.
CREATE TABLE harness.answers (
  project int NOT NULL REFERENCES harness.projects,
  id text NOT NULL,
  answer json NOT NULL,
  wall_ms bigint NOT NULL,
  PRIMARY KEY (project, id)
);
CREATE INDEX answers_by_time ON harness.answers (project, wall_ms);

CREATE TABLE harness.cache (
  project int NOT NULL REFERENCES harness.projects,
  key text COLLATE "C" NOT NULL,
  value text NOT NULL,
  at_ms bigint NOT NULL,
  PRIMARY KEY (project, key)
);

CREATE TABLE harness.meta (
  project int NOT NULL REFERENCES harness.projects,
  key text COLLATE "C" NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (project, key)
);
