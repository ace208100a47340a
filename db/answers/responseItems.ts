import { setTimeout as sleep } from 'node:timers/promises';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { Queryable } from '../postgres/queryable.ts';
import type { RowsOfAll } from '../postgres/rows.ts';
import { createWriteBehind } from '../postgres/writeBehind.ts';

/** Items of this period are written in one statement; calls do not wait for it. */
const WINDOW_MS = 50;
/** While the database is down, items beyond this number are dropped. */
const PENDING_CHARS_MAX = 32 * 1024 * 1024;
/** A failed write is repeated after this; another process may have an item for as long without having written it. */
const RETRY_MS = 250;

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
  pool: Queryable;
  read: RowsOfAll['read'];
  onError: (error: unknown) => void;
}) {
  const pending = new Map<string, KeptItem>();
  let pendingChars = 0;
  const behind = createWriteBehind({ write, windowMs: WINDOW_MS, retryMs: RETRY_MS, onError });

  /** Stores items: this process finds them at once, other processes once they are written. */
  function keep(workspaceId: string, items: { id: string }[]): void {
    for (const one of items) {
      const item = JSON.stringify(one);
      if (pendingChars + item.length > PENDING_CHARS_MAX) return;
      pending.set(one.id, { id: one.id, workspaceId, item });
      pendingChars += item.length;
    }
    behind.soon();
  }

  async function write(): Promise<void> {
    if (pending.size === 0) return;
    const batch = [...pending.values()];
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
    for (const waitMs of [0, RETRY_MS]) {
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
    await behind.settled();
    await pool.query('delete from response_items where workspace_id = $1 and id = any($2)', [workspaceId, ids]);
  }

  return { keep, find, remove, close: behind.end };
}

/** Deletes expired items. Returns how many. */
export const pruneResponseItems = (client: Queryable): Promise<number> =>
  deleteInPortions(client, 'response_items', 'expires_at < now()');

// Raw: a prepared statement for all items of 50 ms, beside the answers of calls.
const KEEP = `
insert into response_items (id, workspace_id, item, expires_at)
select i.*, ledger_now(i.workspace_id) + interval '${ITEM_HOURS} hours' from unnest($1::text[], $2::text[], $3::text[]) i (id, workspace_id, item)
on conflict (id) do nothing`;
