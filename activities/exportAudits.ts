import { log } from '@temporalio/activity';
import {
  listDueExports,
  markExported,
  markFailed,
  openExportUrl,
  periodEnd,
  PLATFORM,
  type ExportRow,
} from '../db/auditExports/auditExports.ts';
import { createObjectStore, type ObjectStore } from '../db/objects/objectStore.ts';
import type { Rows } from '../db/postgres/rows.ts';
import type { SecretOpener } from '../db/sealing/secretBox.ts';
import { readAuditLines, type AuditPage } from '../db/workspaces/auditLines.ts';
import { createGuardedFetch } from '../tools/guardedFetch.ts';
import type { Egress } from '../tools/guardedAgent.ts';

/** How the audits of workspaces and of the platform are written to their stores. */
export interface AuditExporting {
  secrets: SecretOpener;
  allowPrivate: Egress['allowPrivate'];
}

/** The same as an activity: failures are in its log. */
export const exportDueAudits = (
  everywhere: Rows<undefined>,
  exporting: AuditExporting,
  onProgress: () => void,
): Promise<number> =>
  exportAudits(everywhere, exporting, {
    onProgress,
    onFailure: (error, { workspaceId, target }) =>
      log.warn('an audit was not exported and is tried again', {
        event: 'audit_export_failed',
        workspaceId,
        target,
        error,
      }),
  });

interface Watched {
  onProgress: () => void;
  onFailure: (error: unknown, row: Pick<ExportRow, 'workspaceId' | 'target'>) => void;
}

const LIMIT_MS = 60_000;
// No attempt goes on for longer: an upkeep has four minutes.
const LATE_MS = 150_000;
const BEAT_MS = 5_000;
// A store that does not answer holds up no other one.
const AT_ONCE = 8;
const PUT_TIMEOUT_MS = 30_000;
const ENTRIES_OF_OBJECT = 10_000;

/**
 * Writes each period of an audit that has ended, one after the other, as objects of JSON lines; several audits at once. Their names and
 * contents follow from the period, so a repeated attempt writes the same objects again, and each entry is in exactly one. Returns how many
 * periods were written.
 */
export async function exportAudits(
  everywhere: Rows<undefined>,
  { secrets, allowPrivate }: AuditExporting,
  { onProgress, onFailure }: Watched,
): Promise<number> {
  const begunMs = performance.now();
  const isOver = () => performance.now() - begunMs > LIMIT_MS;
  const guarded = createGuardedFetch({ allowPrivate }, { timeoutMs: PUT_TIMEOUT_MS });
  const timer = setInterval(onProgress, BEAT_MS);
  let written = 0;
  try {
    for (;;) {
      const due = (await listDueExports(everywhere)).values();
      const some = await Promise.all(Array.from({ length: AT_ONCE }, () => attemptAll(due)));
      if (!some.includes(true) || isOver()) return written;
    }
  } finally {
    clearInterval(timer);
    await guarded.close();
  }

  /** Whether there were any. */
  async function attemptAll(due: Iterable<ExportRow>): Promise<boolean> {
    let isAny = false;
    for (const row of due) {
      isAny = true;
      if (isOver()) break;
      if (await attempt(row)) written += 1;
    }
    return isAny;
  }

  async function attempt(row: ExportRow): Promise<boolean> {
    try {
      const store = createObjectStore({ url: openExportUrl(secrets, row), takesNew: true }, { fetch: guarded.fetch });
      await exportPeriod({ everywhere, row, store, lateAtMs: begunMs + LATE_MS });
      return true;
    } catch (error) {
      onFailure(error, row);
      await markFailed(everywhere, row, reasonOf(error));
      return false;
    }
  }
}

interface Exported {
  everywhere: Rows<undefined>;
  row: ExportRow;
  store: ObjectStore;
  lateAtMs: number;
}

/** Writes one period: nothing when it has no entries, several objects when it has many. */
async function exportPeriod({ everywhere, row, store, lateAtMs }: Exported): Promise<void> {
  const { workspaceId, exportedUntil: from, period } = row;
  const until = periodEnd(from, period);
  const of = workspaceId === PLATFORM ? null : workspaceId;
  const range = { from, to: until };
  let [after, lastObject, entries]: [string | null, string | null, number] = [null, null, 0];
  for (let [part, hasMore] = [1, true]; hasMore; part += 1) {
    if (performance.now() > lateAtMs) throw new Error('the store is too slow for all objects of the period');
    const page: AuditPage = await readAuditLines(everywhere, of, range, { after, limit: ENTRIES_OF_OBJECT });
    const { lines } = page;
    if (lines.length === 0) break;
    lastObject = objectName(row, part);
    await store.put(lastObject, Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    entries += lines.length;
    after = lines.at(-1)!.id;
    hasMore = page.hasMore;
  }
  await markExported(everywhere, row, { until, lastObject, lastEntries: entries });
}

/** Such as `audit/ws_x/2026/11/27/05-0001.jsonl`, or `audit/platform/…`; of a day without the hour. */
function objectName({ workspaceId, exportedUntil, period }: ExportRow, part: number): string {
  const [day, hour] = exportedUntil.toISOString().split(/[T:]/);
  const place = day!.replaceAll('-', '/') + (period === 'hour' ? `/${hour}` : '');
  return `audit/${workspaceId}/${place}-${String(part).padStart(4, '0')}.jsonl`;
}

/** What the owner may know: never the address, which has the credentials. */
function reasonOf(error: unknown): string {
  const { message = 'unknown', cause } = error as { message?: string; cause?: Error };
  return `${message}${cause ? `: ${cause.message}` : ''}`.replaceAll(/https?:\/\/\S+/g, '…');
}
