import assert from 'node:assert/strict';
import { CONFIG } from '../../support/sample-project.ts';
import type { Row } from '../behaviour.ts';
import type { SeedProject } from '../stage.ts';

interface Sizes {
  readonly session: number;
  readonly files: Readonly<Record<string, { readonly lines: number; readonly session_added: number }>>;
}

const readSizes = (project: SeedProject) => project.readJson<Sizes>('.harness/file_sizes.json');
const getLines = (count: number) => 'x\n'.repeat(count);
const writes = (file: string, count: number) => ({
  'agent.yaml': `tasks: { "*": [{ edit: { file: ${file}, content: "${'x\\n'.repeat(count)}" } }, { edit: { file: src/1.txt, content: x } }, { claim: done }] }\n`,
});

/** How long files are, and how fast they grow. */
export const SIZES: readonly Row[] = [
  {
    id: 'C9.1',
    asked: 'every file is tracked from the first look, with its lines',
    command: 'harness run, then .harness/file_sizes.json',
    seen: 'files that no session has touched',
    async show(stage) {
      const project = stage.project({ 'src/long.txt': getLines(600) });
      await project.harness('run');
      const { session, files } = readSizes(project);
      assert.equal(session, 1);
      assert.equal(files['src/long.txt']?.lines, 600);
      assert.equal(files['test/thing-3.sh']?.lines, 1);
    },
  },
  {
    id: 'C9.2',
    asked: 'session_added is 0 for what was there and the session for what came with it',
    command: 'harness run, then .harness/file_sizes.json',
    seen: '0 for an older file, 1 for the new one',
    async show(stage) {
      const project = stage.project({ 'src/long.txt': getLines(600) });
      await project.harness('run');
      const { files } = readSizes(project);
      assert.deepEqual([files['src/long.txt']?.session_added, files['src/1.txt']?.session_added], [0, 1]);
    },
  },
  {
    id: 'C9.3',
    asked: 'a file over the limit is flagged, also one that nobody has touched',
    command: 'harness run, then harness health',
    seen: 'src/long.txt: 600 lines: split it',
    async show(stage) {
      const project = stage.project({ 'src/long.txt': getLines(600) });
      await project.harness('run');
      assert.match((await project.harness('health')).out, /src\/long\.txt: 600 lines: split it/);
    },
  },
  {
    id: 'C9.4',
    asked: 'the limit is quality.max_file_lines',
    command: 'harness run with max_file_lines: 700, then harness health',
    seen: 'no file to split',
    async show(stage) {
      const config = { '.harness.yaml': `${CONFIG}quality: { max_file_lines: 700 }\n` };
      const project = stage.project({ ...config, 'src/long.txt': getLines(600) });
      await project.harness('run');
      const { out } = await project.harness('health');
      assert.match(out, /files are within 700 lines/);
      assert.doesNotMatch(out, /split it/);
    },
  },
  {
    id: 'C9.5',
    asked: 'growth of more than 50 lines a session is flagged, from the first growth on',
    command: 'harness run with an agent that makes an older file 79 lines longer, then harness health',
    seen: '+79 a session: grows fast',
    async show(stage) {
      const project = stage.project({ ...writes('src/old.txt', 80), 'src/old.txt': 'x\n' });
      await project.harness('run');
      assert.match(
        (await project.harness('health')).out,
        /src\/old\.txt: 80 lines, \+79 a session: grows fast/,
      );
    },
  },
  {
    id: 'C9.6',
    asked: 'a landing that makes a file too long is warned of',
    command: 'harness run with an agent that writes 600 lines',
    seen: 'landed, with a warning of the size check',
    async show(stage) {
      const project = stage.project(writes('src/long.txt', 600));
      const { code, text } = await project.harness('run');
      assert.equal(code, 0, text);
      assert.match(text, /size/);
    },
  },
  {
    id: 'C9.7',
    asked: 'what people change in between is seen at the next session',
    command: 'harness run, a commit by hand, harness run',
    seen: 'its new length',
    async show(stage) {
      const project = stage.project({ 'src/long.txt': getLines(600) });
      await project.harness('run');
      project.commit({ 'src/long.txt': getLines(20) });
      await project.harness('run');
      assert.equal(readSizes(project).files['src/long.txt']?.lines, 20);
    },
  },
  {
    id: 'C9.8',
    asked: 'the backlog, the notes and lockfiles are no code',
    command: 'harness run, then .harness/file_sizes.json',
    seen: 'none of them',
    async show(stage) {
      const project = stage.project({ 'package-lock.json': getLines(900), 'claude-progress.txt': 'Notes\n' });
      await project.harness('run');
      const names = Object.keys(readSizes(project).files);
      for (const name of ['package-lock.json', 'features.json', 'claude-progress.txt'])
        assert.ok(!names.includes(name), name);
    },
  },
];
