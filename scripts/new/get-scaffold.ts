import { getCheck } from './check.ts';
import { getCommand } from './command.ts';
import { getEvent } from './event.ts';
import { getProvider } from './provider.ts';
import { getRunner } from './runner.ts';
import { getName, type Scaffold } from './scaffold.ts';
import { getStep } from './step.ts';

/** What adding a thing of some kind comes to; `folder` says where, for kinds that stand in several. */
export function getScaffold(root: string, kind: string, name: string, folder?: string): Scaffold {
  switch (kind) {
    case 'check':
      return getCheck(getName(name));
    case 'step':
      return getStep(getName(name));
    case 'command':
      return getCommand(getName(name), folder);
    case 'runner':
      return getRunner(getName(name));
    case 'provider':
      return getProvider(getName(name));
    case 'event':
      return getEvent(root, name, folder);
    default:
      throw new Error(`"${kind}" is nothing that can be added so`);
  }
}
