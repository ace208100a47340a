import type { InferEntity } from '@mikro-orm/core';
import type { HttpToolSettings } from '../entities/agentJson.ts';
import type { HttpToolTest, HttpToolTestResult } from '../entities/httpTool.ts';
import { newId } from '../ids.ts';
import { deleteInPortions } from '../postgres/deleteInPortions.ts';
import type { AnyRows, Rows } from '../postgres/rows.ts';
import { takeTurn } from '../postgres/transaction.ts';

export type ToolTestRow = InferEntity<typeof HttpToolTest>;

/** Tests of a workspace in a minute. */
export const TOOL_TESTS_PER_MINUTE_MAX = 20;
const KEPT_HOURS = 24;

/** Stores a test that a worker will carry out. Returns its id, or undefined when the workspace has made too many in the last minute. */
export function insertToolTest(
  rows: Rows,
  test: { agentId: string; agent: string; tool: HttpToolSettings; arguments: Record<string, unknown> },
): Promise<string | undefined> {
  const id = newId('htt');
  return rows.transaction(async ({ em, client, HttpToolTest, sql, workspaceId }) => {
    // Makes the count exact: other tests of this workspace wait.
    await takeTurn(client, `tool tests of ${workspaceId}`);
    const isRecent = { createdAt: { $gt: sql`now() - interval '1 minute'` } };
    if ((await em.count(HttpToolTest, isRecent)) >= TOOL_TESTS_PER_MINUTE_MAX) return undefined;
    await em.insert(HttpToolTest, { id, workspaceId, ...test });
    return id;
  });
}

/** A test, or undefined. */
export const findToolTest = async (rows: AnyRows, id: string): Promise<ToolTestRow | undefined> =>
  (await rows.statement(({ em, HttpToolTest }) => em.findOne(HttpToolTest, { id }))) ?? undefined;

/** Stores a test's result; the first one counts. */
export async function endToolTest(everywhere: AnyRows, id: string, result: HttpToolTestResult): Promise<void> {
  await everywhere.statement(({ em, HttpToolTest }) => em.nativeUpdate(HttpToolTest, { id, result: null }, { result }));
}

/** Deletes tests of yesterday. Returns how many. */
export const pruneToolTests = (everywhere: Rows<undefined>): Promise<number> =>
  everywhere.statement(({ client }) =>
    deleteInPortions(client, 'http_tool_tests', `created_at < now() - interval '${KEPT_HOURS} hours'`),
  );
