import { hash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { Queryable } from '../postgres/queryable.ts';
import type { Bound, Rows } from '../postgres/rows.ts';
import { takeTurn } from '../postgres/transaction.ts';

/** The most memories of one user with one agent. */
export const MEMORIES_PER_USER_MAX = 500;

/** The most days after which a version may let memories expire. */
export const MEMORY_DAYS_MAX = 3_650;

/** Whose memories a run reads and writes: those of its agent and end user, in the project of the run. */
export interface MemorySpace {
  projectId: string | null;
  agentId: string;
  endUser: string;
}

/** A memory of a run. */
export interface FoundMemory {
  id: string;
  text: string;
  /** When it was last remembered. */
  at: Date;
}

/** A text to remember. `claim` locks the run of the step, and throws when the step is no longer its attempt's to write. */
export interface NewMemory {
  /** `<namespace>/<slug>` */
  agent: string;
  text: string;
  runId: string;
  stepId: string;
  /** Null: until it is deleted. */
  days: number | null;
  claim: (client: PoolClient) => Promise<void>;
}

/**
 * Remembers a text, once for a step. A text that is remembered already is remembered anew, under its id. Returns the id, or undefined
 * when there are too many.
 */
export function insertMemory(
  rows: Rows,
  space: MemorySpace,
  { agent, text, runId, stepId, days, claim }: NewMemory,
): Promise<string | undefined> {
  const id = memoryIdOf(stepId);
  return rows.transaction(async ({ client, workspaceId }) => {
    await claim(client);
    const place = placeOf(workspaceId, space);
    // One at a time for a user, so that the limit holds.
    await takeTurn(client, place.join(' '));
    const same = await client.query<{ id: string }>(SAME, [...place, text, id]);
    if (same.rows[0]) {
      await client.query(RENEW, [same.rows[0].id, days]);
      return same.rows[0].id;
    }
    const { rowCount } = await client.query(INSERT, [...place, text, id, agent, runId, days]);
    return rowCount ? id : undefined;
  });
}

/** The best memories for some words; without words the newest. */
export async function recallMemories(
  rows: Rows,
  space: MemorySpace,
  { query, limit }: { query?: string | undefined; limit: number },
): Promise<FoundMemory[]> {
  const found = await rows.statement(({ client, workspaceId }) =>
    client.query<FoundMemory>(query === undefined ? NEWEST : BEST, [
      ...placeOf(workspaceId, space),
      limit,
      ...(query === undefined ? [] : [query]),
    ]),
  );
  return found.rows;
}

/** Deletes a memory of the space. False: there is none of this id. */
export async function forgetMemory(rows: Rows, space: MemorySpace, id: string): Promise<boolean> {
  const forget = ({ client, workspaceId }: Bound) => client.query(FORGET, [...placeOf(workspaceId, space), id]);
  return ((await rows.statement(forget)).rowCount ?? 0) > 0;
}

/** Deletes memories whose days have passed. Returns how many. */
export const pruneMemories = (client: Queryable): Promise<number> =>
  deleteInPortions(client, 'memories', 'expires_at < now()');

/** SQL: whether a text has one of the words of a query. English words count with their endings; all others as they are. */
export const hasWordsSql = (query: string): string => `to_tsvector('english', text) @@ ${wordsSql(query)}`;

// Any of the words: models ask in sentences. The operators of a query are its only unquoted characters.
const wordsSql = (query: string): string =>
  `replace(plainto_tsquery('english', ${query})::text, ' & ', ' | ')::tsquery`;

/** The id of the memory that a step makes: each attempt of the step has the same. */
const memoryIdOf = (stepId: string): string => `mem_${hash('sha256', stepId, 'hex').slice(0, 24)}`;

const placeOf = (workspaceId: string, { agentId, endUser, projectId }: MemorySpace) =>
  [workspaceId, agentId, endUser, projectId] as const;

// Raw here and below: prepared by hand for full-text search, and for one statement that counts and inserts.
const IN_SPACE = `workspace_id = $1 and agent_id = $2 and end_user = $3 and project_id is not distinct from $4`;
const UNEXPIRED = '(expires_at is null or expires_at > ledger_now(workspace_id))';

const SAME = `select id from memories where ${IN_SPACE} and (id = $6 or text = $5) order by id = $6 desc limit 1`;

const expiresAt = (workspaceId: string, days: string) =>
  `ledger_now(${workspaceId}) + make_interval(days => ${days}::int)`;

const RENEW = `
update memories set updated_at = ledger_now(workspace_id), expires_at = ${expiresAt('workspace_id', '$2')} where id = $1`;

const INSERT = `
insert into memories (workspace_id, agent_id, end_user, project_id, text, id, agent, run_id, created_at, updated_at, expires_at)
select $1, $2, $3, $4, $5, $6, $7, $8, ledger_now($1), ledger_now($1), ${expiresAt('$1', '$9')}
where (select count(*) from memories where ${IN_SPACE} and ${UNEXPIRED}) < ${MEMORIES_PER_USER_MAX}`;

const FOUND = 'select id, text, updated_at as at from memories';

const NEWEST = `${FOUND} where ${IN_SPACE} and ${UNEXPIRED} order by updated_at desc, id desc limit $5`;

const BEST = `
${FOUND} where ${IN_SPACE} and ${UNEXPIRED} and ${hasWordsSql('$6')}
order by ts_rank(to_tsvector('english', text), ${wordsSql('$6')}) desc, updated_at desc, id desc limit $5`;

const FORGET = `delete from memories where ${IN_SPACE} and id = $5`;
