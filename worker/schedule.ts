import { type Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import { checkScheduleId, checkWorkflow, sweepScheduleId, sweepWorkflow, taskQueue } from '../workflows/contract.ts';

const common = { type: 'startWorkflow', taskQueue, args: [] } as const;

// One at a time is enough, and one that was missed is made up by the next.
const policiesOf = (catchupWindow: '10s' | '10m') => ({ overlap: ScheduleOverlapPolicy.SKIP, catchupWindow });

const sweepSchedule = {
  scheduleId: sweepScheduleId,
  spec: { intervals: [{ every: '5s' }] },
  action: {
    ...common,
    workflowType: sweepWorkflow,
    workflowId: sweepWorkflow,
    workflowExecutionTimeout: '5m',
    staticSummary: 'Settle or release what dead processes had held',
    staticDetails: 'Every five seconds. A sweep that found nothing returns zeros.',
  },
  policies: policiesOf('10s'),
} satisfies ScheduleOptions;

const checkSchedule = {
  scheduleId: checkScheduleId,
  spec: { intervals: [{ every: '1h' }] },
  action: {
    ...common,
    workflowType: checkWorkflow,
    workflowId: checkWorkflow,
    workflowExecutionTimeout: '45m',
    staticSummary: 'Check every rule of the ledger',
    staticDetails:
      'Every hour, reading only. Failed: a rule is broken (the failure names it), or the check could not be made.',
  },
  policies: policiesOf('10m'),
} satisfies ScheduleOptions;

/** Makes the schedules of the sweep and of the ledger's check, or brings those that exist up to date. May run in several workers at once. */
export async function ensureSchedules(client: Client): Promise<void> {
  await Promise.all([sweepSchedule, checkSchedule].map((schedule) => ensure(client, schedule)));
}

async function ensure(client: Client, { scheduleId, ...schedule }: typeof sweepSchedule | typeof checkSchedule) {
  try {
    await client.schedule.create({ scheduleId, ...schedule });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update(({ state }) => ({ ...schedule, state }));
  }
}
