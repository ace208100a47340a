import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { TestClockInput } from '../contracts/test.ts';

const OPTIONS = {
  startToCloseTimeout: '3m',
  heartbeatTimeout: '20s',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' },
} as const;

const { planClockStep } = proxyActivities<Activities>({
  ...OPTIONS,
  summary: 'Find the next time at which something is due',
});
const { takeClockStep } = proxyActivities<Activities>({ ...OPTIONS, summary: 'Move the clock, and wake what is due' });

const PATIENCE_MS = 60_000;
// Some work has taken long: later steps do not wait for it again.
const NO_PATIENCE_MS = 1_000;

/**
 * Moves the clock of a test workspace to its target, from one due time to the next, so that waiting work happens in order. Before each step
 * it waits until the work that the last step woke has ended or waits again.
 */
export async function testClock({ workspaceId }: TestClockInput): Promise<{ steps: number }> {
  for (let steps = 0, patienceMs = PATIENCE_MS; ; steps += 1) {
    const { step, isCalm } = await planClockStep({ workspaceId, patienceMs });
    if (step === null) return { steps };
    if (!isCalm) patienceMs = NO_PATIENCE_MS;
    await takeClockStep({ workspaceId, ...step, patienceMs });
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof testClock>({ workspaceId });
  }
}
