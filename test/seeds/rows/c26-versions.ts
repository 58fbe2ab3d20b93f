import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { CONFIG } from '../../support/sample-project.ts';
import { makeNewer, makeOlder } from '../../support/store-schema.ts';
import type { Row } from '../behaviour.ts';
import type { SeedProject, Stage } from '../stage.ts';

const setCompatibility = (rule: string) => ({ '.harness.yaml': `${CONFIG}compatibility: { ${rule} }\n` });

/** Records know their layout; older ones are brought to the newest with a copy beside them, newer ones are refused. */
export const VERSIONS: readonly Row[] = [
  {
    id: 'C26.1',
    asked: 'the state says which version and which schema wrote it',
    command: 'harness run, then .harness/session_state.json',
    seen: 'harness_version and schema_version',
    async show(stage) {
      const project = await makeLanded(stage);
      const state = project.readJson('.harness/session_state.json');
      assert.match(String(state.harness_version), /^\d+\.\d+\.\d+$/);
      assert.ok(Number(state.schema_version) >= 2);
    },
  },
  {
    id: 'C26.2',
    asked: 'the versions can be asked for without running',
    command: 'harness version',
    seen: 'version, schema, the schema of the project, a status',
    async show(stage) {
      const { out, text } = await (await makeLanded(stage)).harness('version');
      assert.match(out, /^Harness version: \d/m, text);
      assert.match(out, /^Schema version: (\d+)\nProject state schema: \1\nStatus: Up to date/m, text);
    },
  },
  {
    id: 'C26.3',
    asked: 'older state is named as such, with the way on',
    command: 'harness version on older records',
    seen: "Migration needed (v1 → v3), and 'harness migrate'",
    async show(stage) {
      const project = await makeLanded(stage);
      makeOlder(project.dir);
      const { out } = await project.harness('version');
      assert.match(out, /^Project state schema: 1\nStatus: Migration needed \(v1 → v3\)/m);
      assert.match(out, /'harness migrate' to upgrade, or 'harness run'/);
      assert.equal((await project.json('version')).projectSchema, 1, 'looking changes nothing');
    },
  },
  {
    id: 'C26.4',
    asked: 'an explicit migration backs up first',
    command: 'harness migrate',
    seen: 'where the copy is, what was migrated, and all of the history',
    async show(stage) {
      const project = await makeLanded(stage);
      makeOlder(project.dir);
      const { code, out, text } = await project.harness('migrate');
      assert.equal(code, 0, text);
      const [copy] = listBackups(project);
      assert.ok(copy && out.includes(copy), text);
      assert.match(out, /Migrated schema v1 → v3/);
      assert.match((await project.harness('migrate')).out, /Up to date: schema v3/);
      assert.equal((await project.json<{ counts: { landed: number } }>('status')).counts.landed, 1);
    },
  },
  {
    id: 'C26.5',
    asked: 'the copy can be put in the place of what was migrated',
    command: 'harness migrate, then the copy moved back',
    seen: 'harness version says once more that a migration is needed',
    async show(stage) {
      const project = await makeLanded(stage);
      makeOlder(project.dir);
      await project.harness('migrate');
      const { code, text } = await project.sh('rm -r .harness && mv .harness.backup.* .harness');
      assert.equal(code, 0, text);
      assert.equal((await project.json('version')).projectSchema, 1);
    },
  },
  {
    id: 'C26.6',
    asked: 'a migration without a backup warns',
    command: 'harness migrate --no-backup',
    seen: 'a warning, and no copy',
    async show(stage) {
      const project = await makeLanded(stage);
      makeOlder(project.dir);
      const { code, err, text } = await project.harness('migrate', '--no-backup');
      assert.equal(code, 0, text);
      assert.match(err, /^warning: .*without a backup/m);
      assert.deepEqual(listBackups(project), []);
    },
  },
  {
    id: 'C26.7',
    asked: 'a run migrates older state by itself',
    command: 'harness run on older records',
    seen: 'it lands, and says what was migrated and where the copy is',
    async show(stage) {
      const project = await makeLanded(stage);
      makeOlder(project.dir);
      const { code, err, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.match(err, /migrated from schema v1 to v3/);
      const [copy] = listBackups(project);
      assert.ok(copy && err.includes(copy), text);
    },
  },
  {
    id: 'C26.8',
    asked: 'on_older_state: abort leaves older state alone',
    command: 'harness run on older records',
    seen: 'exit 1, and the field and harness migrate named',
    async show(stage) {
      const project = await makeLanded(stage, setCompatibility('on_older_state: abort'));
      makeOlder(project.dir);
      const { code, text } = await project.harness('run');
      assert.equal(code, 1, text);
      assert.match(text, /compatibility\.on_older_state/);
      assert.match(text, /harness migrate/);
      assert.equal((await project.json('version')).projectSchema, 1);
      assert.equal((await project.harness('migrate')).code, 0);
      assert.equal((await project.harness('run')).code, 0);
    },
  },
  {
    id: 'C26.9',
    asked: 'backup_before_migrate: false migrates without a copy',
    command: 'harness run on older records',
    seen: 'it lands, and no copy is there',
    async show(stage) {
      const project = await makeLanded(stage, setCompatibility('backup_before_migrate: false'));
      makeOlder(project.dir);
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.deepEqual(listBackups(project), []);
    },
  },
  {
    id: 'C26.10',
    asked: 'newer state is refused',
    command: 'harness run, status and health on newer records',
    seen: 'exit 1, and the version which wrote them',
    async show(stage) {
      const project = await makeLanded(stage);
      makeNewer(project.dir);
      for (const command of ['run', 'status', 'health']) {
        const { code, text } = await project.harness(command);
        assert.equal(code, 1, text);
        assert.match(text, /0\.9\.9.*schema 9/);
      }
    },
  },
  {
    id: 'C26.11',
    asked: 'on_newer_state: warn goes on with caution',
    command: 'harness run, status and health on newer records',
    seen: 'a warning each time, and the work done',
    async show(stage) {
      const project = await makeLanded(stage, setCompatibility('on_newer_state: warn'));
      makeNewer(project.dir);
      for (const command of ['run', 'status', 'health']) {
        const { code, err, text } = await project.harness(command);
        assert.equal(code, 0, text);
        assert.match(err, /^warning: .*Harness 0\.9\.9 \(schema 9\)/m);
      }
    },
  },
];

async function makeLanded(stage: Stage, files = {}): Promise<SeedProject> {
  const project = stage.project(files);
  const { code, text } = await project.harness('run');
  assert.equal(code, 0, text);
  return project;
}

function listBackups({ dir }: SeedProject): readonly string[] {
  return readdirSync(dir).filter(name => name.startsWith('.harness.backup.'));
}
