import { getStubLine } from '../core/code/stub-mark.ts';
import type { PlannedTask } from '../core/decide/plan.ts';
import type { RunnerKind } from '../core/model/testing.ts';

/**
 * A test that fails until somebody writes the real one; null for runners that tell files apart by an
 * exit code alone, or compile them together: there one red stub would hide whatever else breaks.
 */
export function getStub(task: PlannedTask, runner: RunnerKind, isModule: boolean): string | null {
  const { test_file: file } = task;
  const name = JSON.stringify(`${task.id}: ${task.title}`);
  const note = getStubLine(task.id);
  const fail = `throw new Error(${JSON.stringify(`The test of task ${task.id} has not been written yet.`)});`;
  if (/\.[cm]?[jt]sx?$/.test(file)) {
    const head = getJsHead(file, runner, isModule);
    return head === null ? null : `// ${note}\n${head}(${name}, () => {\n  ${fail}\n});\n`;
  }
  if (runner === 'pytest' && file.endsWith('.py')) {
    const why = `the test of task ${task.id} has not been written yet`;
    return `# ${note}\nimport pytest\n\n\ndef test_not_written_yet():\n    pytest.fail(${JSON.stringify(why)})\n`;
  }
  if (runner === 'cargo' && /^(?:.+\/)?tests\/[^/]+\.rs$/.test(file)) {
    return `// ${note}\n#[test]\nfn not_written_yet() {\n    panic!("the test of task ${task.id} has not been written yet");\n}\n`;
  }
  return null;
}

/** Everything up to the call that defines a test. */
function getJsHead(file: string, runner: RunnerKind, isModule: boolean): string | null {
  const isImported = /\.(mjs|mts|tsx?)$/.test(file) || (isModule && !/\.cjs$/.test(file));
  switch (runner) {
    case 'node':
      return isImported
        ? "import { test } from 'node:test';\n\ntest"
        : "const { test } = require('node:test');\n\ntest";
    case 'vitest':
      return "import { test } from 'vitest';\n\ntest";
    case 'tap':
      return isImported ? "import test from 'ava';\n\ntest" : "const test = require('ava');\n\ntest";
    case 'jest':
      return '\ntest';
    case 'mocha':
      return '\nit';
    case 'pytest':
    case 'go':
    case 'cargo':
    case 'junit':
    case 'command':
      return null;
  }
}
