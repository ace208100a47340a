import { timeSlotSql } from './callGroups.ts';

// A transaction in progress may have an earlier time than its commit; no statement takes longer than this.
export const OPEN_MINUTES = 10;

// After a long pause all are behind: the rest of an upkeep waits no longer than this, and the next one goes on.
export const UPKEEP_BUDGET_MS = 30_000;

/** The hour of a time, as SQL. */
export const hourOf = (time: string): string => timeSlotSql('hour', time);

/** The end of the last completed hour, as SQL: no call or run gets an earlier time any more. */
export const COMPLETED_UNTIL = hourOf(`now() - interval '${OPEN_MINUTES} minutes'`);

/** Sums step by step, until nothing is left or `budgetMs` have passed. A step that resolves with false found nothing to sum. */
export async function sumWithin(budgetMs: number, step: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + budgetMs;
  while (performance.now() < deadlineMs) if (!(await step())) return;
}

/** Sums for one after the other; begins with none after `budgetMs`. Returns the number of those summed. */
export async function sumEachWithin<One>(
  budgetMs: number,
  all: One[],
  sum: (one: One) => Promise<void>,
): Promise<number> {
  const deadlineMs = performance.now() + budgetMs;
  let count = 0;
  for (const one of all) {
    if (performance.now() >= deadlineMs) break;
    await sum(one);
    count += 1;
  }
  return count;
}
