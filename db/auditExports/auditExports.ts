import type { InferEntity } from '@mikro-orm/core';
import type { AuditExport } from '../entities/singleSignOn.ts';
import type { AnyRows, AnyTransaction, Rows } from '../postgres/rows.ts';
import { takeTurn, transactionTime } from '../postgres/transaction.ts';
import { resealForWorker, sealForWorker, type SecretOpener } from '../sealing/secretBox.ts';
import { audit, type Actor } from '../workspaces/audit.ts';

export type ExportRow = InferEntity<typeof AuditExport>;
export type ExportPeriod = ExportRow['period'];

/** In place of a workspace: the audit of the whole platform, which belongs to its operators. */
export const PLATFORM = 'platform';

/** How long after its end a period is read: every transaction that began in it has ended by then. */
const SETTLING_MINUTES = 5;
const RETRY_MINUTES = 5;
const DUE_MAX = 50;
const ERROR_CHARACTERS_MAX = 300;

const MS: Record<ExportPeriod, number> = { hour: 3_600_000, day: 86_400_000 };

/** The beginning of the period (UTC) in which a moment lies. */
const periodStart = (at: Date, period: ExportPeriod): Date =>
  new Date(Math.floor(at.getTime() / MS[period]) * MS[period]);

/** The end of the period that begins at `from`. */
export const periodEnd = (from: Date, period: ExportPeriod): Date => new Date(from.getTime() + MS[period]);

const ownerOf = (workspaceId: string): string => `audit export ${workspaceId}`;

/** Where the audit of a workspace, or of the platform, goes, or null. */
export const readAuditExport = (rows: AnyRows, workspaceId: string): Promise<ExportRow | null> =>
  rows.statement(({ em, AuditExport }) => em.findOne(AuditExport, { workspaceId }));

/**
 * Sets where the audit of a workspace goes, audited; from the present period on, or on from where it was. `no_worker`: no worker has
 * published a key yet, so nothing can be sealed.
 */
export function saveAuditExport(
  rows: AnyRows,
  workspaceId: string,
  { url, target, period, by }: { url: string; target: string; period: ExportPeriod; by: Actor },
): Promise<ExportRow | 'no_worker'> {
  return rows.transaction(async (tx) => {
    const sealedUrl = await sealForWorker(tx, url, ownerOf(workspaceId));
    if (sealedUrl === undefined) return 'no_worker';
    await takeTurn(tx.client, `audit export of ${workspaceId}`);
    const lockMode = tx.LockMode.PESSIMISTIC_WRITE;
    const before = await tx.em.findOne(tx.AuditExport, { workspaceId }, { lockMode });
    // Of another period, an object might repeat entries or miss some: it goes on at the next common beginning, which is earlier.
    // By the clock that dates the entries.
    const exportedUntil = periodStart(before?.exportedUntil ?? (await transactionTime(tx.client)), period);
    const change = { target, sealedUrl, period, exportedUntil, lastError: null, triedAt: null };
    if (before === null) await tx.em.insert(tx.AuditExport, { workspaceId, ...change });
    else await tx.em.nativeUpdate(tx.AuditExport, { workspaceId }, change);
    const action = before === null ? 'add_audit_export' : 'change_audit_export';
    await auditChange(tx, by, workspaceId, action, { target, period });
    return tx.em.findOneOrFail(tx.AuditExport, { workspaceId }, { refresh: true });
  }, workspaceId);
}

/** Ends the export, audited. False: there is none. What was written stays. */
export function removeAuditExport(rows: AnyRows, workspaceId: string, by: Actor): Promise<boolean> {
  return rows.transaction(async (tx) => {
    const row = await tx.em.findOne(tx.AuditExport, { workspaceId }, { lockMode: tx.LockMode.PESSIMISTIC_WRITE });
    if (row === null) return false;
    await tx.em.nativeDelete(tx.AuditExport, { workspaceId });
    await auditChange(tx, by, workspaceId, 'remove_audit_export', { target: row.target });
    return true;
  }, workspaceId);
}

function auditChange(tx: AnyTransaction, by: Actor, of: string, action: string, detail: object): Promise<void> {
  const [workspaceId, subjectType] = of === PLATFORM ? [null, PLATFORM] : [of, 'workspace'];
  return audit(tx, by, { workspaceId, action, subjectType, subjectId: of, detail });
}

/** Exports whose next period has ended and settled, those first that were not tried for longest; one that failed waits for some minutes. */
export const listDueExports = (everywhere: Rows<undefined>): Promise<ExportRow[]> =>
  everywhere.statement(async ({ em, AuditExport, sql }) => {
    const ended = (period: ExportPeriod, hours: number) => ({
      period,
      exportedUntil: { $lte: sql`now() - make_interval(hours => ${hours}, mins => ${SETTLING_MINUTES})` },
    });
    const waits = [{ lastError: null }, { triedAt: { $lte: sql`now() - make_interval(mins => ${RETRY_MINUTES})` } }];
    const where = { $and: [{ $or: [ended('hour', 1), ended('day', 24)] }, { $or: waits }] };
    const orderBy = { triedAt: 'asc nulls first', exportedUntil: 'asc' } as const;
    return em.find(AuditExport, where, { orderBy, limit: DUE_MAX });
  });

/** The address of an export with its credentials. */
export const openExportUrl = (
  box: SecretOpener,
  { sealedUrl, workspaceId }: Pick<ExportRow, 'sealedUrl' | 'workspaceId'>,
): string => box.open(sealedUrl, ownerOf(workspaceId));

/** A period is written: the next one follows, unless the export was changed since it was read. */
export const markExported = (
  everywhere: Rows<undefined>,
  { workspaceId, exportedUntil, sealedUrl }: ExportRow,
  { until, lastObject, lastEntries }: { until: Date; lastObject: string | null; lastEntries: number },
): Promise<number> =>
  everywhere.statement(({ em, AuditExport, sql }) =>
    em.nativeUpdate(
      AuditExport,
      { workspaceId, exportedUntil, sealedUrl },
      {
        exportedUntil: until,
        lastError: null,
        triedAt: sql.now(),
        ...(lastObject !== null && { lastObject, lastEntries }),
      },
    ),
  );

/** Keeps why the last attempt failed, unless the export was changed since it was read. */
export const markFailed = (
  everywhere: Rows<undefined>,
  { workspaceId, sealedUrl }: Pick<ExportRow, 'workspaceId' | 'sealedUrl'>,
  error: string,
): Promise<number> =>
  everywhere.statement(({ em, AuditExport, sql }) =>
    em.nativeUpdate(
      AuditExport,
      { workspaceId, sealedUrl },
      { lastError: error.slice(0, ERROR_CHARACTERS_MAX), triedAt: sql.now() },
    ),
  );

/** Reseals addresses for the worker's first key, so that older keys can be removed. Returns how many. */
export function resealAuditExports(everywhere: Rows<undefined>, box: SecretOpener): Promise<number> {
  return everywhere.transaction(async (tx) => {
    let renewed = 0;
    for (const { workspaceId, sealedUrl } of await tx.em.find(tx.AuditExport, {})) {
      const sealed = await resealForWorker(tx, box, { sealed: sealedUrl, owner: ownerOf(workspaceId) });
      if (sealed === undefined) continue;
      await tx.em.nativeUpdate(tx.AuditExport, { workspaceId, sealedUrl }, { sealedUrl: sealed });
      renewed += 1;
    }
    return renewed;
  });
}
