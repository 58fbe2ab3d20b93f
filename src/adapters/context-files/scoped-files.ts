import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { CONTEXT_FILE_ROLES, type ContextFileRole } from '../../core/model/context-file.ts';
import { CONTEXT_PHASES, type ContextReader, getScopeRoles } from '../../core/model/context-scope.ts';
import type { ContextFile } from '../../ports/index.ts';
import { getHash, readContextFile } from './read-context-file.ts';

/** Files of the project's own folder whose head says whom they are for: every task that they fit is told. */
export async function listScopedFiles(
  dir: string,
  roles: readonly ContextFileRole[],
  reader: ContextReader | null,
): Promise<readonly { readonly file: ContextFile; readonly atMs: number }[]> {
  const found = await Promise.all(
    listOthers(dir).map(async path => {
      const read = await readContextFile({
        path: join(dir, path),
        name: `${basename(dir)}/${path}`,
        role: 'coding',
      });
      const head = getHead(read?.file.text ?? '');
      const role = (getScopeRoles(head.scope, reader) ?? []).find(one => roles.includes(one));
      if (!read || role === undefined) return [];
      const text = head.source === '' ? head.body : `From ${head.source}:\n\n${head.body}`;
      const sha256 = getHash(`${read.file.sha256} ${reader?.task ?? ''}`);
      return [{ atMs: read.atMs, file: { ...read.file, role, text, sha256, isLasting: true as const } }];
    }),
  );
  return found.flat();
}

/** What lies in that folder and reaches nobody, a sentence each. */
export async function findUnreadFiles(dir: string): Promise<readonly string[]> {
  const found = await Promise.all(
    listOthers(dir).map(async path => {
      const name = `${basename(dir)}/${path}`;
      const read = await readContextFile({ path: join(dir, path), name, role: 'coding' });
      const { scope } = getHead(read?.file.text ?? '');
      if (scope !== '' && getScopeRoles(scope, null) !== null) return [];
      const why =
        scope === '' ? 'no role, no phase and no scope' : `the scope "${scope}", which there is not`;
      return [
        `${name} has ${why}: nobody reads it. Name it ${NAMES}, or begin it with "scope: all" between --- lines`,
      ];
    }),
  );
  return found.flat();
}

const NAMES = [...CONTEXT_FILE_ROLES, ...CONTEXT_PHASES].map(name => `${name}.md`).join(', ');

/** Markdown that no name gives to a role, here and in the folder `inbox` below. */
function listOthers(dir: string): readonly string[] {
  const named = new Set<string>(
    [...CONTEXT_FILE_ROLES, ...CONTEXT_PHASES, 'README'].map(name => `${name}.md`),
  );
  const list = (folder: string) => {
    try {
      const entries = readdirSync(join(dir, folder), { withFileTypes: true });
      return entries.filter(one => one.isFile() && /^[^.].*\.md$/i.test(one.name)).map(({ name }) => name);
    } catch {
      return [];
    }
  };
  return [...list('').filter(name => !named.has(name)), ...list('inbox').map(name => `inbox/${name}`)];
}

interface Head {
  readonly source: string;
  readonly scope: string;
  readonly body: string;
}

function getHead(text: string): Head {
  const [whole = '', yaml = ''] = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text) ?? [];
  const none = { source: '', scope: '', body: text };
  if (whole === '' || !text.startsWith(whole)) return none;
  try {
    const { source = '', scope = '' } = Object(parse(yaml)) as Record<string, unknown>;
    return { source: String(source), scope: String(scope), body: text.slice(whole.length).trim() };
  } catch {
    return none;
  }
}
