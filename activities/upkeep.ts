import { Context, log } from '@temporalio/activity';
import { sumRevenue } from '../db/accounting/revenueDays.ts';
import { sumHoursOfAgents } from '../db/publishedRuns/agentHours.ts';
import { sumHoursOfAll } from '../db/accounting/usageCells.ts';
import { pruneToolTests } from '../db/agents/toolTests.ts';
import { listRevoking, pruneAttempts } from '../db/plugins/pluginSignIns.ts';
import { endLeftParts } from '../db/batches/batchParts.ts';
import { pruneFiles, pruneObjects } from '../db/files/files.ts';
import { pruneKeys } from '../db/answers/idempotency.ts';
import { pruneSignIns } from '../db/accounts/userSessions.ts';
import { pruneDeviceLogins } from '../db/keys/deviceLogins.ts';
import { pruneClientSecrets } from '../db/keys/clientSecrets.ts';
import { openMonths } from '../db/ledger/months.ts';
import { pruneUnbilled } from '../db/ledger/retention.ts';
import { noteKeyLimits } from '../db/keys/keyLimits.ts';
import { noteAgentAlerts } from '../db/agentAlerts/noteAgentAlerts.ts';
import { noteAlerts } from '../db/alerts/noteAlerts.ts';
import { noteLowBalances } from '../db/payments/lowBalances.ts';
import { pruneRuns } from '../db/runs/removeRun.ts';
import { prunePlaces } from '../db/runs/flow/upkeep.ts';
import { pruneRefusals } from '../db/accounting/refusals.ts';
import { pruneContents } from '../db/contents/contents.ts';
import { pruneMemories } from '../db/memories/memories.ts';
import { pruneResponseItems } from '../db/answers/responseItems.ts';
import { pruneSpeech } from '../db/voices/speechHistory.ts';
import { pruneEvents } from '../db/events/appendEvents.ts';
import { pruneFirings } from '../db/schedules/firings.ts';
import { pruneDeliveries } from '../db/webhooks/deliveries.ts';
import { issueInvoices, type Issuer } from '../db/invoices/issueInvoices.ts';
import { eachPart } from './eachPart.ts';
import { exportDueAudits, type AuditExporting } from './exportAudits.ts';
import { sendBillingMails } from './billingMails.ts';
import type { Mailer } from '../providers/mail/mailer.ts';
import { endLost, type SweepDependencies } from './sweepRuns.ts';

type Everywhere = UpkeepDependencies['db']['everywhere'];

const HEARTBEAT_MS = 5_000;
// Part of the four minutes of an upkeep, each.
const [STORE_LIMIT_MS, INVOICES_LIMIT_MS] = [60_000, 60_000];

/** Services that the upkeep uses. */
export type UpkeepDependencies = Pick<SweepDependencies, 'db' | 'workflows'> & {
  /** The address of the console, for links in mails. */
  consoleUrl?: string | undefined;
  mailer: Pick<Mailer, 'sendMail'>;
  issuer: Issuer;
  unbilledKeptDays: number;
  auditExports: AuditExporting;
  /** Null when payments are disabled, and no saved card can be charged. */
  payments: object | null;
  /** Whether the worker takes no more work. */
  isStopping: () => boolean;
};

/** The activity of each minute: lost runs, expired data, sums, invoices, mails. It is idempotent and safe to run concurrently. */
export function createUpkeep(services: UpkeepDependencies) {
  const { db, workflows, mailer, issuer, unbilledKeptDays, auditExports } = services;
  const { everywhere, pool } = db;

  /** Returns how many each part ended, deleted, summed or sent. */
  function upkeep() {
    return eachPart(services.isStopping, {
      runsLost: () => endLost(services),
      partsEnded: () => endLeftParts(everywhere, db.ledger.releaseHold),
      signInsRevoked: revokeSignIns,
      runsPruned: () => pruneRuns(everywhere),
      eventsPruned: () => pruneEvents(pool),
      keysPruned: () => pruneKeys(pool),
      filesPruned: () => pruneAllFiles(everywhere),
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

  // Of those that were disconnected while Temporal was down; the others are being revoked already.
  async function revokeSignIns(): Promise<number> {
    const places = await listRevoking(everywhere);
    for (const place of places) await workflows.revokeSignIn(place);
    return places.length;
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

  return { upkeep };
}

const beat = (count: number): void => Context.current().heartbeat(count);

async function pruneAllFiles(everywhere: Everywhere): Promise<number> {
  for (let pruned = await pruneStored(everywhere); ;) {
    beat(pruned);
    const count = await pruneFiles(everywhere);
    pruned += count;
    if (count === 0) return pruned;
  }
}

// While the store is down or slow, everything else is pruned.
async function pruneStored(everywhere: Everywhere): Promise<number> {
  const { heartbeat } = Context.current();
  const timer = setInterval(heartbeat, HEARTBEAT_MS);
  const endMs = performance.now() + STORE_LIMIT_MS;
  let pruned = 0;
  try {
    for (let count = 1; count > 0 && performance.now() < endMs; pruned += count) count = await pruneObjects(everywhere);
  } catch (error) {
    log.warn('files could not be removed from their store; the next upkeep tries again', { error });
  } finally {
    clearInterval(timer);
  }
  return pruned;
}
