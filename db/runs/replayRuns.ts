import type { FinalStatus } from '../entities/runStates.ts';
import { derivedRunIdOf } from '../ids.ts';
import type { Rows } from '../postgres/rows.ts';
import { conditionOf, type RunFilter } from './listRuns.ts';
import type { RunRow } from './runRow.ts';

export type ReplayFilter = Omit<RunFilter, 'status'> & { statuses: readonly FinalStatus[] };

/** The id of the run that repeats another one in a replay: the same for every call, so that it is repeated once. */
export const replayRunIdOf = (runId: string): string => derivedRunIdOf(runId, 'replay');

/** SQL: the same. */
const REPLAY_ID = `'run_' || substr(encode(sha256(convert_to(runs.id || ' replay', 'UTF8')), 'hex'), 1, 22)`;

/** Ended runs of the workspace that no replay has repeated, newest first, at most `limit` older than `beforeId`; and whether more follow. */
export async function readReplayable(
  rows: Rows,
  { statuses, beforeId, limit, ...filter }: ReplayFilter & { beforeId: string | null; limit: number },
): Promise<{ runs: RunRow[]; hasMore: boolean }> {
  const { text, values } = conditionOf(rows, filter);
  const at = values.length;
  // Runs of agents that other runs called are repeated with those.
  const list = `select * from runs where ${text} and status = any ($${at + 1}) and parent_run_id is null and content_deleted_at is null
      and not exists (select from runs r where r.id = ${REPLAY_ID})
      and ($${at + 2}::text is null or (created_at, id) < (select created_at, id from runs where id = $${at + 2}))
    order by created_at desc, id desc limit $${at + 3}`;
  const all = [...values, statuses, beforeId, limit + 1];
  const found = (await rows.statement(({ client }) => client.query<RunRow>(list, all))).rows;
  return { runs: found.slice(0, limit), hasMore: found.length > limit };
}
