import type { InferEntity } from '@mikro-orm/core';
import type { Memory } from '../entities/state.ts';
import { exactTimeSql, placeOf, readPage, type PageQuery } from '../postgres/page.ts';
import type { Rows, Transaction } from '../postgres/rows.ts';
import { auditOf, type Actor } from '../workspaces/audit.ts';
import { hasWordsSql } from './memories.ts';

const auditMemory = auditOf('memory');

/** A memory as its workspace sees it. */
export type KeptMemory = InferEntity<typeof Memory>;

/** Filters of a list of memories. */
export interface MemoryFilter {
  /** `<namespace>/<slug>` */
  agent?: string | undefined;
  endUser?: string | undefined;
  /** Words, of which a memory has one at least. */
  words?: string | undefined;
}

/** A page of the workspace's memories, the newest first. `next` finds the next one although this one's are deleted meanwhile. */
export function readMemories(
  rows: Rows,
  { agent, endUser, words, after, limit }: MemoryFilter & PageQuery,
): Promise<{ rows: KeptMemory[]; next: string | null }> {
  return rows.transaction(async (tx) => {
    const where = {
      ...(agent !== undefined && { agent }),
      ...(endUser !== undefined && { endUser }),
      ...(words !== undefined && { [tx.raw(hasWordsSql('?'), [words])]: [] }),
      ...tx.unexpired(),
    };
    const page = await readPage(tx, tx.Memory, where, { after, limit });
    return { rows: page.rows, next: page.hasMore ? await placeOfMemory(tx, page.rows.at(-1)!.id) : null };
  });
}

async function placeOfMemory({ client, workspaceId }: Transaction, id: string): Promise<string> {
  const text = `select ${exactTimeSql('created_at')} as at from memories where workspace_id = $1 and id = $2`;
  const { rows } = await client.query<{ at: string }>(text, [workspaceId, id]);
  return placeOf({ id, exactTime: rows[0]!.at });
}

/** One memory of the workspace, or null. */
export const findMemory = (rows: Rows, id: string): Promise<KeptMemory | null> =>
  rows.transaction(({ em, Memory, unexpired }) => em.findOne(Memory, { id, ...unexpired() }));

/** Deletes a memory, audited. False: there is none of this id. */
export function removeMemory(rows: Rows, id: string, by: Actor): Promise<boolean> {
  return rows.transaction(async (tx) => {
    const found = await tx.em.findOne(tx.Memory, { id });
    if (!found || (await tx.em.nativeDelete(tx.Memory, { id })) === 0) return false;
    const detail = { agent: found.agent, user: found.endUser };
    await auditMemory(tx, by, { action: 'delete_memory', id, detail });
    return true;
  });
}

/**
 * Deletes what is remembered of a user, by one agent or by all, audited. `projectIds`: only what runs of these projects remembered.
 * Returns how many.
 */
export async function removeMemories(
  rows: Rows,
  {
    endUser,
    agent,
    projectIds,
    by,
  }: { endUser: string; agent?: string; projectIds: readonly string[] | null; by: Actor },
): Promise<number> {
  return rows.transaction(async (tx) => {
    const where = { endUser, ...(agent && { agent }), ...(projectIds && { projectId: { $in: [...projectIds] } }) };
    const deleted = await tx.em.nativeDelete(tx.Memory, where);
    const detail = { user: endUser, ...(agent && { agent }), deleted };
    await auditMemory(tx, by, { action: 'delete_memories', id: tx.workspaceId, detail });
    return deleted;
  });
}
