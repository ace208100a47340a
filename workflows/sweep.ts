import {
  continueAsNew,
  log,
  patched,
  proxyActivities,
  setCurrentDetails,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { SweepResult, LedgerCheckResult, SignResult } from '../contracts/sweep.ts';

const RETRY = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10s', maximumAttempts: 5 } as const;

const { sweepLedger } = proxyActivities<Activities>({
  startToCloseTimeout: '30s',
  scheduleToCloseTimeout: '2m',
  retry: RETRY,
  summary: 'Settle or release the holds of dead API processes',
});

const { sweepRuns } = proxyActivities<Activities>({
  startToCloseTimeout: '2m',
  heartbeatTimeout: '20s',
  retry: { ...RETRY, maximumAttempts: 2 },
  summary: 'Deliver missed starts, cancellations and answers to workflows of runs',
});

const { sweepReviews } = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  heartbeatTimeout: '20s',
  retry: { ...RETRY, maximumAttempts: 2 },
  summary: 'Start reviews without a workflow, end workflows of decided reviews',
});

const { startAutoTopups } = proxyActivities<Activities>({
  startToCloseTimeout: '30s',
  retry: { ...RETRY, maximumAttempts: 2 },
  summary: 'Start the automatic payments that are due',
});

const { startWebhooks } = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  retry: { ...RETRY, maximumAttempts: 2 },
  summary: 'Start the deliveries of events that have no workflow yet',
});

const { syncSchedules } = proxyActivities<Activities>({
  startToCloseTimeout: '1m',
  retry: { ...RETRY, maximumAttempts: 2 },
  summary: 'Bring changed schedules up to date in Temporal',
});

const { reconcileSchedules } = proxyActivities<Activities>({
  startToCloseTimeout: '2m',
  retry: { ...RETRY, maximumAttempts: 2 },
  summary: 'Create schedules that Temporal lacks, delete those without a row',
});

const { upkeep } = proxyActivities<Activities>({
  startToCloseTimeout: '4m',
  heartbeatTimeout: '30s',
  retry: { ...RETRY, maximumAttempts: 2 },
  summary: 'End runs without a workflow, delete expired data',
});

const { sweepLoop } = proxyActivities<Activities>({
  startToCloseTimeout: '20m',
  // After a worker's death the sweeps go on elsewhere.
  heartbeatTimeout: '30s',
  retry: RETRY,
  summary: 'Sweep every five seconds for ten minutes',
});

// Sweeps are five seconds apart, so one or two fall into the first ten seconds of a minute.
const UPKEEP_SECONDS = 10;

const PAUSE_MS = 5_000;

/** Sweeps every five seconds: one workflow, so that Temporal's list mostly shows the customers' workflows. Its schedule restarts it. */
export async function sweeper(): Promise<void> {
  for (let failures = 0; ;) {
    try {
      if (patched('sweepLoop')) failures += (await sweepLoop()).failures;
      else await sweepAll();
    } catch (error) {
      failures += 1;
      log.error('a sweep failed; the next one makes up for it', { error: String(error) });
    }
    setCurrentDetails(
      `Last sweep: ${new Date().toISOString()}. Failed since ${workflowInfo().startTime.toISOString()}: ${failures}.`,
    );
    await sleep(PAUSE_MS);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof sweeper>();
  }
}

/** One sweep: settles the requests of dead processes, and reconciles runs, reviews, schedules and their workflows. */
async function sweepAll(): Promise<void> {
  const { takesPayments } = await sweepLedger();
  await sweepRuns();
  await sweepReviews();
  if (takesPayments !== false) await startAutoTopups();
  await startWebhooks();
  await sweepSchedules();
  if (isMinuteStart()) await upkeep();
}

/** A single sweep: earlier versions started one every five seconds. */
export async function sweep(): Promise<SweepResult> {
  const swept = await sweepLedger();
  if (patched('runs')) {
    await sweepRuns();
    if (patched('reviews')) await sweepReviews();
    if (swept.takesPayments !== false && patched('topups')) await startAutoTopups();
    if (patched('webhooks')) await startWebhooks();
    if (patched('schedules')) await sweepSchedules();
    if (isMinuteStart()) await upkeep();
  }
  return swept;
}

const isMinuteStart = () => new Date().getUTCSeconds() < UPKEEP_SECONDS;

async function sweepSchedules(): Promise<void> {
  await syncSchedules();
  if (isMinuteStart()) await reconcileSchedules();
}

const activities = proxyActivities<Activities>({
  // Each query of the check may take ten minutes. A check that exceeds its total time is abandoned, and the workflow reports that.
  startToCloseTimeout: '20m',
  retry: { initialInterval: '10s', maximumAttempts: 2 },
  summary: 'Check every rule of the ledger',
});

/** Checks the ledger. It fails when a rule is broken or the check could not run. */
export async function checkLedger(): Promise<LedgerCheckResult> {
  try {
    return await activities.checkLedger();
  } catch (error) {
    log.error('the scheduled check of the ledger failed', { event: 'ledger_check_failed', error: String(error) });
    throw error;
  }
}

const { signDays: signDueDays } = proxyActivities<Activities>({
  // A day is signed in one transaction, which takes a minute for a million entries.
  startToCloseTimeout: '2h',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '10s', maximumAttempts: 3 },
  summary: 'Sign the roots of the days that have ended',
});

/** Signs the root of each ended day without a signature. */
export const signDays = (): Promise<SignResult> => signDueDays();
