import { type Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import { sweepScheduleId, sweepWorkflow, taskQueue } from '../workflows/contract.ts';

const sweepSchedule = {
  spec: { intervals: [{ every: '5s' }] },
  action: {
    type: 'startWorkflow',
    workflowType: sweepWorkflow,
    workflowId: sweepWorkflow,
    taskQueue,
    args: [],
    workflowExecutionTimeout: '5m',
    staticSummary: 'Settle or release what dead processes had held',
    staticDetails: 'Every five seconds. A sweep that found nothing returns zeros.',
  },
  // One sweep at a time is enough, and one that was missed is made up by the next.
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10s' },
} satisfies Omit<ScheduleOptions, 'scheduleId'>;

/** Makes the schedule of the sweep, or brings the one that exists up to date. May run in several workers at once. */
export async function ensureSweepSchedule(client: Client): Promise<void> {
  try {
    await client.schedule.create({ scheduleId: sweepScheduleId, ...sweepSchedule });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const handle = client.schedule.getHandle(sweepScheduleId);
    await handle.update(({ state }) => ({ ...sweepSchedule, state }));
  }
}
