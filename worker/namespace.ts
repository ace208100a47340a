import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
  type Connection,
} from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { ARCHIVE_SCHEDULE_ID, ARCHIVE_WORKFLOW } from '../contracts/archive.ts';
import { ERASE_SCHEDULE_ID, ERASE_WORKFLOW } from '../contracts/erasure.ts';
import { RECONCILE_SCHEDULE_ID, RECONCILE_WORKFLOW } from '../contracts/payments.ts';
import { TASK_QUEUE, RUN_SEARCH_ATTRIBUTES } from '../contracts/start.ts';
import {
  CHECK_SCHEDULE_ID,
  CHECK_WORKFLOW,
  SIGN_SCHEDULE_ID,
  SIGN_WORKFLOW,
  SWEEP_SCHEDULE_ID,
  SWEEP_WORKFLOW,
} from '../contracts/sweep.ts';

const COMMON_ACTION = { type: 'startWorkflow', taskQueue: TASK_QUEUE, args: [] } as const;

// Overlapping runs are unnecessary; the next run makes up for a missed one.
const policiesOf = (catchupWindow: '10s' | '10m') => ({ overlap: ScheduleOverlapPolicy.SKIP, catchupWindow });

// The workflow sweeps until it is terminated: the schedule starts it, and restarts it within ten seconds.
const SWEEP_SCHEDULE = {
  scheduleId: SWEEP_SCHEDULE_ID,
  spec: { intervals: [{ every: '10s' }] },
  action: {
    ...COMMON_ACTION,
    workflowType: SWEEP_WORKFLOW,
    workflowId: SWEEP_WORKFLOW,
    staticSummary: 'Every five seconds: settle calls of dead processes, reconcile runs, reviews and schedules',
    staticDetails: 'One workflow, which begins anew every few minutes. Its activities show what was found.',
  },
  policies: policiesOf('10s'),
} satisfies ScheduleOptions;

const CHECK_SCHEDULE = {
  scheduleId: CHECK_SCHEDULE_ID,
  spec: { intervals: [{ every: '1h' }] },
  action: {
    ...COMMON_ACTION,
    workflowType: CHECK_WORKFLOW,
    workflowId: CHECK_WORKFLOW,
    workflowExecutionTimeout: '45m',
    staticSummary: 'Check every rule of the ledger',
    staticDetails:
      'Every hour, reading only. Failed: a rule is broken (the failure names it), or the check could not run.',
  },
  policies: policiesOf('10m'),
} satisfies ScheduleOptions;

const RECONCILE_SCHEDULE = {
  scheduleId: RECONCILE_SCHEDULE_ID,
  spec: { intervals: [{ every: '1d' }] },
  action: {
    ...COMMON_ACTION,
    workflowType: RECONCILE_WORKFLOW,
    workflowId: RECONCILE_WORKFLOW,
    workflowExecutionTimeout: '6h',
    staticSummary: 'Find payments whose events were missed',
    staticDetails:
      'Every day: what Stripe lists of the last week is applied again, which changes nothing that is known.',
  },
  policies: policiesOf('10m'),
} satisfies ScheduleOptions;

const SIGN_SCHEDULE = {
  scheduleId: SIGN_SCHEDULE_ID,
  // Five minutes after each hour: the first run of a day signs the day before, later runs retry what failed.
  spec: { intervals: [{ every: '1h', offset: '5m' }] },
  action: {
    ...COMMON_ACTION,
    workflowType: SIGN_WORKFLOW,
    workflowId: SIGN_WORKFLOW,
    workflowExecutionTimeout: '8h',
    staticSummary: 'Sign the roots of the days that have ended',
    staticDetails:
      'Every hour: the first one after midnight (UTC) signs the day before. Usually there is nothing to sign.',
  },
  policies: policiesOf('10m'),
} satisfies ScheduleOptions;

const ARCHIVE_SCHEDULE = {
  scheduleId: ARCHIVE_SCHEDULE_ID,
  // After the days are signed.
  spec: { intervals: [{ every: '1h', offset: '25m' }] },
  action: {
    ...COMMON_ACTION,
    workflowType: ARCHIVE_WORKFLOW,
    workflowId: ARCHIVE_WORKFLOW,
    workflowExecutionTimeout: '24h',
    staticSummary: 'Move closed months of calls to the archive',
    staticDetails:
      'Every hour. Nothing to do without ARCHIVE_AFTER_DAYS. Failed: the month stays in the database, and the next run continues.',
  },
  policies: policiesOf('10m'),
} satisfies ScheduleOptions;

const ERASE_SCHEDULE = {
  scheduleId: ERASE_SCHEDULE_ID,
  spec: { intervals: [{ every: '10m' }] },
  action: {
    ...COMMON_ACTION,
    workflowType: ERASE_WORKFLOW,
    workflowId: ERASE_WORKFLOW,
    workflowExecutionTimeout: '12h',
    staticSummary: 'Erase the workspaces whose grace is over',
    staticDetails: 'Every ten minutes. Usually there is nothing to erase.',
  },
  policies: policiesOf('10m'),
} satisfies ScheduleOptions;

const SCHEDULES = [SWEEP_SCHEDULE, CHECK_SCHEDULE, RECONCILE_SCHEDULE, SIGN_SCHEDULE, ARCHIVE_SCHEDULE, ERASE_SCHEDULE];

/**
 * Creates or updates the schedules: the sweep, the ledger's check, the reconciliation, the daily roots and erasures. Safe to run in several
 * workers at once.
 */
export async function ensureSchedules(client: Client): Promise<void> {
  await Promise.all(SCHEDULES.map((schedule) => ensure(client, schedule)));
}

async function ensure(client: Client, { scheduleId, ...schedule }: (typeof SCHEDULES)[number]) {
  try {
    await client.schedule.create({ scheduleId, ...schedule });
    // Starts the first sweep at once.
    if (scheduleId === SWEEP_SCHEDULE_ID)
      await client.schedule.getHandle(scheduleId).trigger(ScheduleOverlapPolicy.SKIP);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(scheduleId).update(({ state }) => ({ ...schedule, state }));
  }
}

// Values of Temporal's IndexedValueType.
const KEYWORD = 2;
const DOUBLE = 4;

/**
 * Registers the attributes by which operators list runs. Idempotent and safe to run in several workers at once.
 * @throws an error that names the missing attributes if only an administrator may add them, as in Temporal Cloud.
 */
export async function ensureSearchAttributes(
  { operatorService }: Pick<Connection | NativeConnection, 'operatorService'>,
  namespace: string,
): Promise<void> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(RUN_SEARCH_ATTRIBUTES).filter((name) => !(name in customAttributes));
  if (missing.length === 0) return;
  const isDouble = (name: string) => name === RUN_SEARCH_ATTRIBUTES.costUsd;
  const types = missing.map((name) => [name, isDouble(name) ? DOUBLE : KEYWORD]);
  await operatorService
    .addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(types) })
    .catch((cause: Error & { code?: unknown }) => {
      if (cause.code !== PERMISSION_DENIED && cause.code !== UNIMPLEMENTED) throw cause;
      const list = missing.map((name) => `${name} (${isDouble(name) ? 'Double' : 'Keyword'})`).join(', ');
      throw new Error(`add these search attributes to the namespace ${namespace}: ${list}`, { cause });
    });
}

// gRPC codes.
const PERMISSION_DENIED = 7;
const UNIMPLEMENTED = 12;
