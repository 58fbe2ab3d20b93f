import { getBacklog } from '../../support/sample-project.ts';
import type { Probe } from '../probe.ts';
import { DONE, play } from './kit.ts';

const PLAN = '---\nid: "0001"\ntitle: A plan\nstatus: active\nvalidation: test -f src/1.txt\n---\nMake it.\n';

/** Where things are, and where work goes. */
export const PLACE_PROBES: readonly Probe[] = [
  { run: [['status']], change: { 'project.name': { from: 'one', to: 'other', tells: /Project: +other/ } } },
  {
    files: { 'tasks/mine.json': getBacklog([{ id: 9, description: 'Nine', test_file: 'test/thing-1.sh' }]) },
    run: [['status']],
    change: { 'paths.features': { to: 'tasks/mine.json', tells: /9: Nine/ } },
  },
  {
    files: { 'plans/0001-a.md': PLAN },
    run: [['status']],
    change: { 'plan.dir': { to: 'plans', tells: /0001: A plan/ } },
  },
  {
    files: { 'plans/0001-a.md': PLAN, ...play(DONE) },
    with: { plan: { dir: 'plans' } },
    look: project => (project.has('plans/done/0001-a.md') ? 'plan: moved' : 'plan: there'),
    change: { 'plan.completed_dir': { to: 'plans/done', tells: /plan: moved/ } },
  },
  {
    files: { 'NOTES.md': 'Notes\n' },
    look: project => project.read('NOTES.md'),
    change: { 'paths.progress': { to: 'NOTES.md', tells: /Thing 1 exists/ } },
  },
  {
    files: {
      'words/coding.md': 'Be brief.\n\n<!-- below: what changes from session to session -->\n\n{{brief}}\n',
    },
    run: [['run', '--dry-run']],
    change: { 'paths.prompts': { to: 'words', tells: /Be brief\./ } },
  },
  {
    look: project => (project.has('.records/logs') ? 'records: there' : 'records: elsewhere'),
    change: { 'paths.state_dir': { to: '.records', tells: /records: there/ } },
  },
  {
    files: { 'context/coding.md': 'Mind the gap.\n' },
    look: async project => (await project.sh('grep -rl "Mind the gap" .harness || true')).text,
    change: { 'plan.context_dir': { to: 'context', tells: /sessions/ } },
  },
  {
    prepare: project => {
      project.git('branch', 'trunk');
    },
    change: { 'git.base_branch': { to: 'trunk', tells: / on trunk/ } },
  },
  { change: { 'git.land': { to: 'branch', tells: / on harness\/landed/ } } },
];
