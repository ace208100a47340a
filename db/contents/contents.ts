import { audit, auditOf, type Actor } from '../workspaces/audit.ts';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { Queryable } from '../postgres/queryable.ts';
import type { Rows } from '../postgres/rows.ts';
import { createWriteBehind } from '../postgres/writeBehind.ts';
import type { ContentBox } from './contentBox.ts';

const auditContent = auditOf('request');

/** The most days that contents are kept. */
export const LOG_DAYS_MAX = 90;

/** Contents of this period are written in one statement; no call waits for it. */
const WINDOW_MS = 200;
const RETRY_MS = 2_000;
/** While the database is slow or down, contents beyond this are dropped and counted. */
const PENDING_CHARS_MAX = 32 * 1024 * 1024;
const ROWS_MAX = 50;

/** The content of a call that has ended. */
export interface NewContent {
  requestId: string;
  workspaceId: string;
  keyId: string;
  days: number;
  /** JSON. */
  text: string;
}

export type Contents = ReturnType<typeof createContents>;

/** Writes contents behind their calls. A content that cannot be written is dropped: its call has been answered. */
export function createContents({
  pool,
  box,
  onError,
}: {
  pool: Queryable;
  /** Null: this installation keeps none. */
  box: ContentBox | null;
  onError: (error: unknown) => void;
}) {
  const pending: NewContent[] = [];
  let pendingChars = 0;
  let dropped = 0;
  let kept = 0;
  const behind = createWriteBehind({ write, windowMs: WINDOW_MS, retryMs: RETRY_MS, onError });

  /** Stores a content soon. */
  function keep(content: NewContent): void {
    if (box === null || behind.hasEnded() || pendingChars + content.text.length > PENDING_CHARS_MAX) {
      dropped += 1;
      return;
    }
    pending.push(content);
    pendingChars += content.text.length;
    behind.soon();
  }

  /** Counts a content that could not be made. */
  function fail(error: unknown): void {
    dropped += 1;
    onError(error);
  }

  async function write(): Promise<void> {
    while (pending.length > 0) {
      const rows = pending.slice(0, ROWS_MAX);
      kept += (await pool.query(await statementOf(box!, rows))).rowCount ?? 0;
      pending.splice(0, rows.length);
      pendingChars -= rows.reduce((sum, { text }) => sum + text.length, 0);
    }
  }

  /** Writes what is pending, once. */
  async function close(): Promise<void> {
    await behind.end();
    dropped += pending.length;
  }

  const gauge = {
    name: 'ledgerline_contents',
    help: 'Contents of calls that this process has written, and those it dropped because the database was slow or down',
    labels: ['outcome'],
    read: () => [
      { labels: { outcome: 'kept' }, value: kept },
      { labels: { outcome: 'dropped' }, value: dropped },
    ],
  };

  return {
    isOn: box !== null,
    box,
    keep,
    fail,
    /** Resolves when what this process has kept is written, or has failed to be. */
    written: behind.flush,
    close,
    gauge,
  };
}

/** What row-bound encryption names the content of a request by. */
const ownerOf = (workspaceId: string, requestId: string): string => `${workspaceId}/${requestId}`;

async function statementOf(box: ContentBox, rows: NewContent[]) {
  const sealed = await Promise.all(
    rows.map(({ text, workspaceId, requestId }) => sealContent(box, workspaceId, requestId, text)),
  );
  const values = [
    rows.map(({ requestId }) => requestId),
    rows.map(({ workspaceId }) => workspaceId),
    rows.map(({ keyId }) => keyId),
    sealed,
    rows.map(({ days }) => days),
  ];
  return { name: 'contents_keep', text: KEEP, values };
}

// Raw: one prepared statement for all contents of 200 ms. A key that has ceased to keep contents while its call ran keeps none of it.
const KEEP = `
insert into request_contents (request_id, workspace_id, key_id, sealed, created_at, expires_at)
select c.request_id, c.workspace_id, c.key_id, c.sealed, t.now, t.now + make_interval(days => least(c.days, k.log_days))
from unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::int[]) c (request_id, workspace_id, key_id, sealed, days)
  join api_keys k on k.id = c.key_id and k.log_days > 0,
  lateral (select ledger_now(c.workspace_id) as now) t
on conflict (request_id) do nothing`;

/** A stored content, decrypted. */
export interface StoredContent {
  requestId: string;
  text: string;
  createdAt: Date;
  expiresAt: Date;
}

/** The content of a request of the workspace, or undefined. Each reading is audited. */
export async function readContent(
  rows: Rows,
  box: ContentBox,
  { requestId, by }: { requestId: string; by: Actor },
): Promise<StoredContent | undefined> {
  const found = await rows.transaction(async (tx) => {
    const row = await tx.em.findOne(tx.RequestContent, { requestId, ...tx.unexpired() });
    if (row) await auditContent(tx, by, { action: 'read_content', id: requestId });
    return row;
  });
  if (!found) return undefined;
  const { sealed, createdAt, expiresAt } = found;
  return { requestId, text: await openContent(box, rows.workspaceId, requestId, sealed), createdAt, expiresAt };
}

/** Decrypts a content of a workspace. */
export const openContent = (box: ContentBox, workspaceId: string, requestId: string, sealed: Uint8Array) =>
  box.open(sealed, ownerOf(workspaceId, requestId));

/** Encrypts a content of a workspace with the first key. */
export const sealContent = (box: ContentBox, workspaceId: string, requestId: string, text: string) =>
  box.seal(text, ownerOf(workspaceId, requestId));

/** Deletes the content of a request, audited. False: there is none. */
export function removeContent(rows: Rows, requestId: string, by: Actor): Promise<boolean> {
  return rows.transaction(async (tx) => {
    if ((await tx.em.nativeDelete(tx.RequestContent, { requestId })) === 0) return false;
    await auditContent(tx, by, { action: 'delete_content', id: requestId });
    return true;
  });
}

/** Deletes the contents of a key of the workspace in portions, each audited. Returns how many; undefined: no such key. */
export async function removeContentsOfKey(rows: Rows, keyId: string, by: Actor): Promise<number | undefined> {
  const { workspaceId } = rows;
  const key = await rows.statement(({ em, ApiKey }) => em.count(ApiKey, { id: keyId, memberUserId: null }));
  if (key === 0) return undefined;
  for (let all = 0; ;) {
    const deleted = await rows.transaction(async (tx) => {
      const { rowCount } = await tx.client.query(REMOVE_OF_KEY, [workspaceId, keyId]);
      const subject = { workspaceId, subjectType: 'api_key', subjectId: keyId };
      await audit(tx, by, { ...subject, action: 'delete_contents', detail: { deleted: rowCount } });
      return rowCount!;
    });
    all += deleted;
    if (deleted < PORTION_ROWS) return all;
  }
}

const PORTION_ROWS = 5_000;

// Raw: in portions, because one statement for all could reach its time limit.
const REMOVE_OF_KEY = `
delete from request_contents where request_id in (
  select request_id from request_contents where workspace_id = $1 and key_id = $2 limit ${PORTION_ROWS})`;

/** Deletes expired contents. Returns how many. */
export const pruneContents = (client: Queryable): Promise<number> =>
  deleteInPortions(client, 'request_contents', 'expires_at < now()');
