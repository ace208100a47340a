import type { Rows } from '../postgres/rows.ts';
import type { RunRow } from './runRow.ts';

/** Filters of a list of runs. Absent ones and nulls hold for every run. */
export interface RunFilter {
  agent?: string | null | undefined;
  /** Id or date label of a version. */
  version?: string | null | undefined;
  sessionId?: string | null | undefined;
  status?: string | null | undefined;
  scheduleId?: string | null | undefined;
  /** The run whose agent started them. */
  parentRunId?: string | null | undefined;
  source?: string | null | undefined;
  /** The end user for whom they ran. */
  user?: string | null | undefined;
  errorCode?: string | null | undefined;
  fault?: string | null | undefined;
  /** A part of the error's message, in any case. */
  errorText?: string | null | undefined;
  /** Pairs that are all in the run's metadata. */
  metadata?: Record<string, string> | null | undefined;
  /** Created from this moment on. */
  from?: Date | null | undefined;
  /** Created before this moment. */
  to?: Date | null | undefined;
}

/** A condition and its parameters, which are the first of its statement. */
interface Condition {
  text: string;
  values: unknown[];
}

/** An answered run goes on for its caller, although its workflow has not taken the answer yet. */
const STATUS = `case when status = 'requires_action' and required_action ? 'answer' then 'in_progress' else status end`;

/** SQL for each filter, given its parameter. None needs an index: a scan of 100,000 runs of one workspace takes a tenth of a second. */
const CONDITIONS: { [Name in keyof RunFilter]-?: (parameter: string) => string } = {
  agent: (at) => `agent = ${at}`,
  version: (at) => `${at} in (version, version_id)`,
  sessionId: (at) => `session_id = ${at}`,
  status: (at) => `${STATUS} = ${at}`,
  scheduleId: (at) => `id in (select run_id from schedule_firings where schedule_id = ${at})`,
  parentRunId: (at) => `parent_run_id = ${at}`,
  source: (at) => `source = ${at}`,
  user: (at) => `end_user = ${at}`,
  errorCode: (at) => `error ->> 'code' = ${at}`,
  fault: (at) => `fault = ${at}`,
  errorText: (at) => `strpos(lower(error ->> 'message'), lower(${at})) > 0`,
  metadata: (at) => `metadata @> ${at}::jsonb`,
  from: (at) => `created_at >= ${at}`,
  to: (at) => `created_at < ${at}`,
};

/** The condition that a run is one of the workspace's with this filter. */
export function conditionOf({ workspaceId }: Pick<Rows, 'workspaceId'>, filter: RunFilter): Condition {
  const values: unknown[] = [workspaceId];
  const parts = ['workspace_id = $1', 'deleted_at is null'];
  for (const [name, sqlOf] of Object.entries(CONDITIONS)) {
    const value = filter[name as keyof RunFilter];
    if (value === undefined || value === null) continue;
    values.push(name === 'metadata' ? JSON.stringify(value) : value);
    parts.push(sqlOf(`$${values.length}`));
  }
  return { text: parts.join(' and '), values };
}

/** The workspace's runs, newest first, at most `limit` that are older than the run `beforeId`, and whether more follow. */
export async function readRuns(
  rows: Rows,
  { beforeId, limit, ...filter }: RunFilter & { beforeId: string | null; limit: number },
): Promise<{ runs: RunRow[]; hasMore: boolean }> {
  const { text, values } = conditionOf(rows, filter);
  if (beforeId !== null) values.push(beforeId);
  const isOlder = `(created_at, id) < (select created_at, id from runs where id = $${values.length})`;
  // One more than requested shows whether there are more.
  values.push(limit + 1);
  const list = `select * from runs where ${text} ${beforeId === null ? '' : `and ${isOlder}`}
    order by created_at desc, id desc limit $${values.length}`;
  const found = (await rows.statement(({ client }) => client.query<RunRow>(list, values))).rows;
  return { runs: found.slice(0, limit), hasMore: found.length > limit };
}
