import { Context, log } from '@temporalio/activity';
import { sumRevenue } from '../db/accounting/revenueDays.ts';
import { sumHoursOfAgents } from '../db/publishedRuns/agentHours.ts';
import { sumHoursOfAll } from '../db/accounting/usageCells.ts';
import { pruneToolTests } from '../db/agents/toolTests.ts';
import { pruneAttempts } from '../db/plugins/pluginSignIns.ts';
import { pruneFiles, pruneObjects } from '../db/files/files.ts';
import { pruneKeys } from '../db/answers/idempotency.ts';
import { pruneSignIns } from '../db/accounts/userSessions.ts';
import { pruneDeviceLogins } from '../db/keys/deviceLogins.ts';
import { pruneClientSecrets } from '../db/keys/clientSecrets.ts';
import { openMonths } from '../db/ledger/months.ts';
import { pruneUnbilled, type Pruned } from '../db/ledger/retention.ts';
import { noteKeyLimits } from '../db/keys/keyLimits.ts';
import { noteAgentAlerts } from '../db/agentAlerts/noteAgentAlerts.ts';
import { noteAlerts } from '../db/alerts/noteAlerts.ts';
import { noteLowBalances } from '../db/payments/lowBalances.ts';
import { cancelOrphaned, cancelRevoked } from '../db/runs/states/cancelRun.ts';
import { pruneRuns } from '../db/runs/removeRun.ts';
import { finishRun } from '../db/runs/states/finishRun.ts';
import {
  markCancelDelivered,
  markUnstarted,
  readAnswered,
  readIdleSessions,
  readOpenRuns,
  readStillOpen,
  readUncancelled,
  readUnstarted,
  wakeSession,
} from '../db/runs/states/pendingRuns.ts';
import { prunePlaces, readWaitingWorkspaces } from '../db/runs/flow/upkeep.ts';
import { pruneRefusals } from '../db/accounting/refusals.ts';
import { pruneContents } from '../db/contents/contents.ts';
import { pruneMemories } from '../db/memories/memories.ts';
import { pruneResponseItems } from '../db/answers/responseItems.ts';
import { pruneSpeech } from '../db/voices/speechHistory.ts';
import { pruneEvents } from '../db/events/appendEvents.ts';
import { pruneFirings } from '../db/schedules/firings.ts';
import { pruneDeliveries } from '../db/webhooks/deliveries.ts';
import type { Database } from '../db/database.ts';
import { issueInvoices, type Issuer } from '../db/invoices/issueInvoices.ts';
import { eachPart } from './eachPart.ts';
import { exportDueAudits, type AuditExporting } from './exportAudits.ts';
import { sendBillingMails } from './billingMails.ts';
import type { Mailer } from '../providers/mail/mailer.ts';
import { markBatchStarted, readUnstartedBatches } from '../db/batches/batches.ts';
import { markEvaluationStarted, readUnstartedEvaluations } from '../db/evaluations/evaluationRuns.ts';
import { listAdvancing } from '../db/workspaces/clock.ts';
import type { BatchWorkflows, RunDependencies, TestClockWorkflows } from './dependencies.ts';
import type { EvaluationWorkflows } from './evaluations/evaluationDependencies.ts';

/** The number of missed notifications that one sweep delivered to workflows. */
export type RunSweepResult = { started: number; cancelled: number; resumed: number; terminated: number };

/** Results of the upkeep of each minute: runs without their workflow, and expired data. */
export type UpkeepResult = {
  runsLost: number;
  /** Runs whose input, output and steps were deleted. */
  runsPruned: number;
  eventsPruned: number;
  keysPruned: number;
  filesPruned: number;
  /** Places of ended runs in their lanes. */
  placesPruned: number;
  /** Histories of sweeps in Temporal. */
  sweepsPruned: number;
  /** Output items of responses. */
  itemsPruned: number;
  refusalsPruned: number;
  /** Contents and speech of calls whose days have passed. */
  contentsPruned: number;
  /** Memories of agents whose days have passed. */
  memoriesPruned: number;
  /** Expired console sessions, links in mails, and attempts to sign in to plugins. */
  signInsPruned: number;
  toolTestsPruned: number;
  /** Client secrets of realtime sockets that have expired. */
  loginsPruned: number;
  secretsPruned: number;
  /** Workspaces whose last hours of usage were summed. */
  workspacesSummed: number;
  /** Agents whose last hours of runs were summed. */
  agentsSummed: number;
  revenueDaysSummed: number;
  monthsOpened: number;
  /** Calls, holds and processes that billed nothing. */
  unbilledPruned: Pruned;
  /** Workspaces whose balance fell below its warning level or to zero. */
  lowBalancesNoted: number;
  /** Keys near or at their spend limit. */
  keyLimitsNoted: number;
  /** Budgets and runways that were told of. */
  alertsNoted: number;
  /** Agents that were told of as failing or recovered. */
  agentAlertsNoted: number;
  /** Invoices of months that have ended. */
  invoicesIssued: number;
  /** Deliveries of webhooks. */
  deliveriesPruned: number;
  firingsPruned: number;
  auditsExported: number;
  mailsSent: number;
};

const LOST_ENDING = {
  status: 'failed',
  fault: 'platform',
  code: 'internal_error',
  message: 'The run was lost. Nothing was billed.',
} as const;

const TERMINATED_ENDING = {
  status: 'failed',
  fault: 'platform',
  code: 'run_terminated',
  message: 'An operator ended the run. Nothing was billed. Start it again.',
} as const;

const HEARTBEAT_MS = 5_000;
// Part of the four minutes of an upkeep, each.
const [STORE_LIMIT_MS, INVOICES_LIMIT_MS] = [60_000, 60_000];

/** Services that sweeps use. */
export type SweepDependencies = Pick<RunDependencies, 'workflows'> & {
  /** The address of the console, for links in mails. */
  consoleUrl?: string | undefined;
  db: RunDependencies['db'] & Pick<Database, 'write'>;
  batches: BatchWorkflows;
  evaluations: EvaluationWorkflows;
  clocks: TestClockWorkflows;
  mailer: Pick<Mailer, 'sendMail'>;
  issuer: Issuer;
  unbilledKeptDays: number;
  auditExports: AuditExporting;
  /** Null when payments are disabled, and no saved card can be charged. */
  payments: object | null;
  /** Whether the worker takes no more work. */
  isStopping: () => boolean;
};

/** The two sweep activities that reconcile runs and their workflows. Both are idempotent and safe to run concurrently. */
export function createRunSweep(services: SweepDependencies) {
  const { db, workflows, batches, evaluations, clocks, mailer, issuer, unbilledKeptDays, auditExports } = services;
  const { everywhere, pool } = db;

  const beat = (count: number): void => Context.current().heartbeat(count);

  /** Delivers missed notifications to workflows: start, cancel, resume. */
  async function sweepRuns(): Promise<RunSweepResult> {
    await endUnwanted();
    for (const { id } of await readIdleSessions(everywhere)) await wakeSession(everywhere, id);
    await each(await readWaitingWorkspaces(everywhere), ({ id: workspaceId }) => workflows.turn({ workspaceId }));
    const started = await each(await readUnstarted(everywhere), (run) => workflows.start(run));
    const cancelled = await each(await readUncancelled(everywhere), async ({ id }) => {
      await workflows.cancel(id);
      await markCancelDelivered(everywhere, id);
    });
    await each(await readUnstartedBatches(everywhere), async (batch) => {
      await batches.start(batch);
      await markBatchStarted(everywhere, batch.id);
    });
    await each(await readUnstartedEvaluations(everywhere), async (evaluation) => {
      await evaluations.start(evaluation);
      if (evaluation.isCancelled) await evaluations.cancel(evaluation.id);
      await markEvaluationStarted(everywhere, evaluation.id);
    });
    await each(await listAdvancing(everywhere), ({ id }) => clocks.start(id));
    const resumed = await each(await readAnswered(everywhere), ({ id }) => workflows.resume(id));
    return { started, cancelled, resumed, terminated: await endTerminated() };
  }

  // Cancels runs that `keys revoke` missed, being created at the same moment for example, and runs that nobody waits for.
  async function endUnwanted(): Promise<void> {
    const cancelled = [...(await cancelRevoked(db)), ...(await cancelOrphaned(db))].map(({ run }) => run);
    await each(cancelled, ({ id }) => workflows.cancel(id));
  }

  async function endTerminated(): Promise<number> {
    return each(await readStillOpen(everywhere, await workflows.listTerminated()), async ({ id }) => {
      // A workflow that an operator terminated by mistake may have been restarted.
      if ((await workflows.stateOf(id)) === 'open') return false;
      await finishRun(db, id, TERMINATED_ENDING);
      log.warn('the workflow of a run was terminated', { runId: id });
      return true;
    });
  }

  /** Ends or begins again runs that have lost their workflow, and deletes expired data. */
  function upkeep(): Promise<UpkeepResult> {
    return eachPart<UpkeepResult>(services.isStopping, {
      runsLost: endLost,
      runsPruned: () => pruneRuns(everywhere),
      eventsPruned: () => pruneEvents(pool),
      keysPruned: () => pruneKeys(pool),
      filesPruned: pruneAllFiles,
      placesPruned: () => prunePlaces(everywhere),
      sweepsPruned: () => workflows.pruneSweeps(),
      itemsPruned: () => pruneResponseItems(pool),
      refusalsPruned: () => pruneRefusals(pool),
      contentsPruned: async () => (await pruneContents(pool)) + (await pruneSpeech(pool)),
      memoriesPruned: () => pruneMemories(pool),
      signInsPruned: async () => (await pruneSignIns(everywhere)) + (await pruneAttempts(everywhere)),
      toolTestsPruned: () => pruneToolTests(everywhere),
      loginsPruned: () => pruneDeviceLogins(everywhere),
      secretsPruned: () => pruneClientSecrets(everywhere),
      deliveriesPruned: () => pruneDeliveries(everywhere),
      firingsPruned: () => pruneFirings(everywhere),
      workspacesSummed: () => sumHoursOfAll(db),
      agentsSummed: () => sumHoursOfAgents(everywhere),
      revenueDaysSummed: () => sumRevenue(everywhere),
      monthsOpened: () => openMonths(pool),
      unbilledPruned: () => pruneUnbilled(pool, unbilledKeptDays),
      lowBalancesNoted: () => noteLowBalances(everywhere, { hasPayments: services.payments !== null }),
      keyLimitsNoted: () => noteKeyLimits(everywhere),
      alertsNoted: () => noteAlerts(everywhere),
      agentAlertsNoted: () => noteAgentAlerts(everywhere),
      invoicesIssued: issueDueInvoices,
      auditsExported: () => exportDueAudits(everywhere, auditExports, () => beat(0)),
      // Last, because a mail server may be slow.
      mailsSent: sendMails,
    });
  }

  function issueDueInvoices(): Promise<number> {
    const onFailure = (error: unknown, workspaceId: string) =>
      log.error('an invoice was not issued', { event: 'invoice_failed', workspaceId, error });
    return issueInvoices(db, issuer, { limitMs: INVOICES_LIMIT_MS, onProgress: beat, onFailure });
  }

  function sendMails(): Promise<number> {
    const onFailure = (error: unknown) => log.warn('a mail was not sent and is tried again later', { error });
    return sendBillingMails({ everywhere, mailer, consoleUrl: services.consoleUrl, onProgress: beat, onFailure });
  }

  async function endLost(): Promise<number> {
    let ended = 0;
    for (let afterId = ''; ;) {
      const page = await readOpenRuns(everywhere, afterId);
      ended += await each(page, async ({ id }) => {
        const state = await workflows.stateOf(id);
        if (state === 'open') return false;
        // Steps that have their results are not carried out again.
        if (state === 'unknown') await markUnstarted(everywhere, id);
        else await finishRun(db, id, LOST_ENDING);
        log.error('a run had lost its workflow', { runId: id, beginsAgain: state === 'unknown' });
        return true;
      });
      const last = page.at(-1);
      if (!last) return ended;
      afterId = last.id;
    }
  }

  async function pruneAllFiles(): Promise<number> {
    for (let pruned = await pruneStored(); ;) {
      Context.current().heartbeat(pruned);
      const count = await pruneFiles(everywhere);
      pruned += count;
      if (count === 0) return pruned;
    }
  }

  // While the store is down or slow, everything else is pruned.
  async function pruneStored(): Promise<number> {
    const { heartbeat } = Context.current();
    const timer = setInterval(heartbeat, HEARTBEAT_MS);
    const endMs = performance.now() + STORE_LIMIT_MS;
    let pruned = 0;
    try {
      for (let count = 1; count > 0 && performance.now() < endMs; pruned += count)
        count = await pruneObjects(everywhere);
    } catch (error) {
      log.warn('files could not be removed from their store; the next upkeep tries again', { error });
    } finally {
      clearInterval(timer);
    }
    return pruned;
  }

  return { sweepRuns, upkeep };
}

// One failed run must not block the others; the next sweep retries it.
async function each<Item extends { id: string }>(
  items: Item[],
  work: (item: Item) => Promise<boolean | void>,
): Promise<number> {
  let done = 0;
  for (const item of items) {
    Context.current().heartbeat(item.id);
    try {
      if ((await work(item)) !== false) done += 1;
    } catch (error) {
      log.warn('a run, batch or test clock could not be swept', { id: item.id, error });
    }
  }
  return done;
}
