import type { HarnessEvent, StoredEvent } from '../../src/core/events/event.ts';

/** What a night may cost. */
export interface Purse {
  readonly totalUsd: number;
  /** The most that one agent spends before it hears that it is to stop. */
  readonly turnUsd: number;
  /** Agents at once. */
  readonly lanes: number;
}

/** An attempt under way: what was kept for it, what it has used of that, and what of the session at work is counted already. */
interface Account {
  readonly keptUsd: number;
  usedUsd: number;
  countedUsd: number;
}

/** Sums of cents that were added in another order. */
const ROUNDING_USD = 1e-6;

/**
 * At every event: what is spent, and what those under way may still spend, is no more than the budget, but for one turn
 * of each agent. Counted from the record alone, by none of the rules that are judged; whoever is lost counts until its
 * attempt is brought to an end.
 */
export function judgeMoney(events: readonly StoredEvent[], purse: Purse): string[] {
  const ledger = new Ledger(purse);
  for (const { event } of events) ledger.note(event);
  return [...ledger.found];
}

class Ledger {
  readonly found = new Set<string>();
  readonly #purse: Purse;
  readonly #accounts = new Map<string, Account>();
  #budgetUsd: number;
  #spentUsd = 0;

  constructor(purse: Purse) {
    this.#purse = purse;
    this.#budgetUsd = purse.totalUsd;
  }

  note(event: HarnessEvent): void {
    this.#move(event);
    const overUsd = this.#spentUsd + this.#getKept() - this.#budgetUsd;
    if (overUsd > this.#purse.turnUsd * this.#purse.lanes + ROUNDING_USD)
      this.found.add(`more than the budget of $${this.#budgetUsd} is spent or kept`);
    // Whoever begins looks at all of it, on the very record that it is written to.
    if (event.type === 'attempt.started' && event.reserveUsd && overUsd > ROUNDING_USD)
      this.found.add(
        `task ${event.task} was begun with money that others have, $${overUsd.toFixed(2)} of it`,
      );
  }

  #move(event: HarnessEvent): void {
    switch (event.type) {
      case 'budget.raised':
        if (event.task === null && !event.perSession)
          this.#budgetUsd = Math.max(this.#budgetUsd, event.toUsd);
        break;
      case 'attempt.started':
        this.#accounts.set(event.task, { keptUsd: event.reserveUsd ?? 0, usedUsd: 0, countedUsd: 0 });
        break;
      case 'session.started':
        this.#begin(event.task);
        break;
      case 'session.spent':
        this.#spend(event.task, event.usage.costUsd, event.role === undefined);
        break;
      case 'session.ended':
        this.#spend(event.task, event.usage.costUsd - (this.#accounts.get(event.task)?.countedUsd ?? 0));
        break;
      case 'verdict.given':
        for (const { usage } of event.checks) this.#spend(event.task, usage?.costUsd ?? 0);
        break;
      case 'candidate.queued':
      case 'landing.started':
      case 'task.landed':
      case 'attempt.ended':
        this.#accounts.delete(event.task);
        break;
      default:
    }
  }

  #begin(task: string): void {
    const account = this.#accounts.get(task);
    if (!account || account.usedUsd >= account.keptUsd)
      this.found.add(`a session of task ${task} was started with nothing left for it`);
    if (account) account.countedUsd = 0;
  }

  #spend(task: string, usd: number, isCounted = false): void {
    const moreUsd = Math.max(0, usd);
    this.#spentUsd += moreUsd;
    const account = this.#accounts.get(task);
    if (!account) return;
    account.usedUsd += moreUsd;
    if (isCounted) account.countedUsd += moreUsd;
    if (account.usedUsd > account.keptUsd + this.#purse.turnUsd + ROUNDING_USD)
      this.found.add(
        `task ${task} spent $${account.usedUsd.toFixed(2)}, and $${account.keptUsd.toFixed(2)} was kept for it`,
      );
  }

  #getKept(): number {
    return [...this.#accounts.values()].reduce(
      (sum, { keptUsd, usedUsd }) => sum + Math.max(0, keptUsd - usedUsd),
      0,
    );
  }
}
