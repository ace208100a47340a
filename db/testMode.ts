import { newId } from './ids.ts';
import { sendNotice } from './postgres/notices.ts';
import type { Queryable } from './postgres/queryable.ts';
import type { AnyRows, Rows } from './postgres/rows.ts';
import { insertWorkspace } from './workspaces.ts';

const PREFIX = 'wst';

/** Whether a workspace is one for tests. Its id shows it, so that no step of a call has to look it up. */
export const isTestWorkspace = (workspaceId: string): boolean => workspaceId.startsWith(`${PREFIX}_`);

/** SQL: the same, of a column with a workspace's id. */
export const isTestSql = (column: string): string => `starts_with(${column}, '${PREFIX}_')`;

/** Whether a workspace's money and calls are real. */
export const modeOf = (workspaceId: string): 'live' | 'test' => (isTestWorkspace(workspaceId) ? 'test' : 'live');

/** The id of the test workspace that belongs to a live one, or undefined before there is one. */
export const findTestWorkspaceId = async (rows: AnyRows, liveWorkspaceId: string): Promise<string | undefined> =>
  (await rows.statement(({ em, Workspace }) => em.findOne(Workspace, { liveWorkspaceId })))?.id;

/** The same, made where there is none yet. A test workspace is its own. */
export function openTestWorkspace(rows: AnyRows, workspaceId: string): Promise<string> {
  if (isTestWorkspace(workspaceId)) return Promise.resolve(workspaceId);
  return rows.transaction(async (tx) => {
    // Two requests at once make one.
    const live = await tx.em.findOneOrFail(
      tx.Workspace,
      { id: workspaceId },
      { lockMode: tx.LockMode.PESSIMISTIC_WRITE },
    );
    const found = await findTestWorkspaceId(tx, workspaceId);
    return found ?? insertWorkspace(tx, { id: newId(PREFIX), name: live.name, liveWorkspaceId: workspaceId });
  });
}

/** The time of a test workspace, and how far it is ahead of the real one. */
export interface TestClock {
  now: Date;
  aheadSeconds: number;
}

/** Reads the clock of a test workspace. */
export async function readTestClock(client: Queryable, workspaceId: string): Promise<TestClock> {
  const { rows } = await client.query<{ now: Date; ahead: string }>(CLOCK, [workspaceId]);
  return { now: rows[0]!.now, aheadSeconds: Number(rows[0]!.ahead) };
}

const CLOCK = 'select ledger_now(id) as now, clock_seconds as ahead from workspaces where id = $1';

/** As far as a clock goes: ten years. */
export const AHEAD_SECONDS_MAX = 315_360_000;

/**
 * Moves the clock of a test workspace ahead, by some seconds or to a time, and never back. All processes then take new slices of its money,
 * which count towards its new day. `backwards`, `too_far`: nothing was moved.
 */
export function advanceTestClock(
  rows: Rows,
  by: { seconds: number } | { to: Date },
): Promise<TestClock | 'backwards' | 'too_far'> {
  const { workspaceId } = rows;
  return rows.transaction(async ({ em, client, Account, Workspace, LockMode }) => {
    await em.findOneOrFail(Workspace, { id: workspaceId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const before = await readTestClock(client, workspaceId);
    const seconds = 'to' in by ? Math.ceil((by.to.getTime() - before.now.getTime()) / 1_000) : by.seconds;
    if (seconds < 0) return 'backwards';
    if (before.aheadSeconds + seconds > AHEAD_SECONDS_MAX) return 'too_far';
    await client.query('update workspaces set clock_seconds = clock_seconds + $2 where id = $1', [
      workspaceId,
      seconds,
    ]);
    const account = await em.findOneOrFail(Account, { workspaceId });
    await sendNotice(client, { kind: 'scarce', accountId: account.id });
    return readTestClock(client, workspaceId);
  });
}
