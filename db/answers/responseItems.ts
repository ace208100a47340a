import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { Queryable } from '../postgres/queryable.ts';
import type { RowsOfAll } from '../postgres/rows.ts';

/** Items of this period are written in one statement; calls do not wait for it. */
const FLUSH_MS = 50;
/** While the database is down, items beyond this number are dropped. */
const PENDING_CHARS_MAX = 32 * 1024 * 1024;
/** Another process may have the item but not have written it yet. */
const OTHERS_FLUSH_MS = 250;

interface KeptItem {
  id: string;
  workspaceId: string;
  item: string;
}

export type ResponseItems = ReturnType<typeof createResponseItems>;

/** Retention of output items. */
export const ITEM_HOURS = 24;

/** Output items of responses, kept for a day for requests that refer to them. */
export function createResponseItems({
  pool,
  read,
  onError,
}: {
  pool: Pool;
  read: RowsOfAll['read'];
  onError: (error: unknown) => void;
}) {
  const pending = new Map<string, KeptItem>();
  let pendingChars = 0;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let isClosed = false;

  /** Stores items: this process finds them at once, other processes once they are written. */
  function keep(workspaceId: string, items: { id: string }[]): void {
    for (const one of items) {
      const item = JSON.stringify(one);
      if (pendingChars + item.length > PENDING_CHARS_MAX) return;
      pending.set(one.id, { id: one.id, workspaceId, item });
      pendingChars += item.length;
    }
    if (!isClosed) timer ??= setTimeout(flush, FLUSH_MS);
  }

  function flush(): void {
    timer = undefined;
    const batch = [...pending.values()];
    flushing = write(batch).catch((error: unknown) => {
      onError(error);
      timer ??= setTimeout(flush, OTHERS_FLUSH_MS);
    });
  }

  async function write(batch: KeptItem[]): Promise<void> {
    if (batch.length === 0) return;
    const values = [batch.map(({ id }) => id), batch.map((one) => one.workspaceId), batch.map(({ item }) => item)];
    await pool.query({ name: 'response_items_keep', text: KEEP, values });
    for (const { id, item } of batch) if (pending.delete(id)) pendingChars -= item.length;
  }

  /** Items of the workspace as JSON, by id. Items that are unknown, of another workspace, or older than a day are missing. */
  async function find(workspaceId: string, ids: string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const missing = () => [...new Set(ids)].filter((id) => !found.has(id));
    for (const id of missing()) {
      const kept = pending.get(id);
      if (kept?.workspaceId === workspaceId) found.set(id, kept.item);
    }
    for (const waitMs of [0, OTHERS_FLUSH_MS]) {
      if (missing().length === 0) break;
      if (waitMs > 0) await sleep(waitMs);
      for (const { id, item } of await readItems(workspaceId, missing())) found.set(id, item);
    }
    return found;
  }

  const readItems = (workspaceId: string, ids: string[]) =>
    read(workspaceId).statement(({ em, ResponseItem, unexpired }) =>
      em.find(ResponseItem, { id: ids, ...unexpired() }),
    );

  /** Deletes items of the workspace by their ids, including unwritten ones. */
  async function remove(workspaceId: string, ids: string[]): Promise<void> {
    for (const id of ids) {
      const kept = pending.get(id);
      if (kept?.workspaceId === workspaceId && pending.delete(id)) pendingChars -= kept.item.length;
    }
    await flushing;
    await pool.query('delete from response_items where workspace_id = $1 and id = any($2)', [workspaceId, ids]);
  }

  /** Writes all pending items. */
  async function close(): Promise<void> {
    isClosed = true;
    await flushing;
    clearTimeout(timer);
    await write([...pending.values()]).catch(onError);
  }

  return { keep, find, remove, close };
}

/** Deletes expired items. Returns how many. */
export const pruneResponseItems = (client: Queryable): Promise<number> =>
  deleteInPortions(client, 'response_items', 'expires_at < now()');

// Raw: a prepared statement for all items of 50 ms, beside the answers of calls.
const KEEP = `
insert into response_items (id, workspace_id, item, expires_at)
select i.*, ledger_now(i.workspace_id) + interval '${ITEM_HOURS} hours' from unnest($1::text[], $2::text[], $3::text[]) i (id, workspace_id, item)
on conflict (id) do nothing`;
