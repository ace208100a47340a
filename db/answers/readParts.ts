import type { Pool } from 'pg';
import { oneAfterAnother } from '../../base/waiting.ts';
import type { RowsOfAll } from '../postgres/rows.ts';
import { KEPT_MINUTES, type PartState } from './answerPart.ts';

/** A stored part, for its readers. */
export interface StoredPart {
  part: number;
  state: PartState;
  bytes: Uint8Array;
}

// Of one statement: a long stream is read in steps.
const READ_TOGETHER = 200;
// The answer's own count ends with it; the request's stays.
const NOTE = `
with replayed as (update answer_parts set replays = replays + $3 where request_id = $1 and part = 0 returning request_id),
noted as (
  insert into request_retries (request_id, workspace_id, retries) select request_id, $2, $3 from replayed
  on conflict (request_id) do update set retries = request_retries.retries + excluded.retries)
select from replayed`;
// First tries with the same text.
const SAME_MAX = 100;
const KEPT = `${KEPT_MINUTES} minutes`;

/** Reads kept answers, as one workspace. Readers of one answer share their statements: hundreds may follow it at once. */
export function createPartReader({ read, pool }: { read: RowsOfAll['read']; pool: Pool }) {
  const reading = oneAfterAnother<StoredPart[]>();
  const noting = oneAfterAnother<boolean>();
  const replays = new Map<string, number>();

  /**
   * The request that supplies the answer to a retry with this fingerprint. Of several with the same text: those replayed as often as
   * this client has retried, and of these the most recent; never a `failed` one.
   */
  async function findKept(
    workspaceId: string,
    fingerprint: string,
    replays: number,
    failed: Iterable<string> = [],
  ): Promise<string | undefined> {
    const rows = await read(workspaceId).statement(({ em, AnswerPart, sql }) =>
      em.find(
        AnswerPart,
        {
          workspaceId,
          fingerprint,
          createdAt: { $gt: sql`now() - ${KEPT}::interval` },
          requestId: { $nin: [...failed] },
        },
        { fields: ['requestId', 'replays'], orderBy: { createdAt: 'desc' }, limit: SAME_MAX },
      ),
    );
    const [best] = rows.toSorted((a, b) => Math.abs(a.replays - replays) - Math.abs(b.replays - replays));
    return best?.requestId;
  }

  /** The stored parts of a request's answer from number `from` on, without a gap. */
  const readParts = (workspaceId: string, requestId: string, from: number): Promise<StoredPart[]> =>
    reading(`${workspaceId} ${requestId} ${from}`, () => readOnce(workspaceId, requestId, from));

  async function readOnce(workspaceId: string, requestId: string, from: number): Promise<StoredPart[]> {
    const rows = await read(workspaceId).statement(({ em, AnswerPart }) =>
      em.find(
        AnswerPart,
        { workspaceId, requestId, part: { $gte: from } },
        { orderBy: { part: 'asc' }, limit: READ_TOGETHER },
      ),
    );
    const gap = rows.findIndex(({ part }, index) => part !== from + index);
    return rows.slice(0, gap === -1 ? undefined : gap).map(({ part, state, bytes }) => ({ part, state, bytes }));
  }

  /** How an answer has ended; undefined: it has not, as far as it is stored. */
  async function readEnd(workspaceId: string, requestId: string): Promise<PartState | undefined> {
    const last = await read(workspaceId).statement(({ em, AnswerPart }) =>
      em.findOne(AnswerPart, { workspaceId, requestId, state: { $ne: 'open' } }, { fields: ['state'] }),
    );
    return last?.state;
  }

  /** Whether a part of this answer was stored within the last ten minutes. */
  async function isRecent(workspaceId: string, requestId: string): Promise<boolean> {
    const recent = await read(workspaceId).statement(({ em, AnswerPart, sql }) =>
      em.findOne(
        AnswerPart,
        { workspaceId, requestId, createdAt: { $gt: sql`now() - ${KEPT}::interval` } },
        { fields: ['part'] },
      ),
    );
    return recent !== null;
  }

  /** Records that a retry got it. False: its bill was refunded, or it is no longer kept. */
  function noteReplay(workspaceId: string, requestId: string): Promise<boolean> {
    replays.set(requestId, (replays.get(requestId) ?? 0) + 1);
    return noting(requestId, async () => {
      const values = [requestId, workspaceId, replays.get(requestId)];
      replays.delete(requestId);
      return (await pool.query({ name: 'answer_replays_note', text: NOTE, values })).rowCount === 1;
    });
  }

  return { findKept, readParts, readEnd, isRecent, noteReplay };
}
