import { afterAll, expect, test } from '@jest/globals';
import { followCall } from '../../../api/agentCalls/followCall.ts';
import { findRun } from '../../../db/runs/runRow.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { addEvents, beginRun, delta, finishTestRun, makeRun } from '../../support/run.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

test('the events of a run that ends while its caller is slow are all taken', async () => {
  const account = await makeAccount(db);
  const run = await makeRun(db, account);
  await beginRun(db.pool, run.id);
  const row = (await findRun(db.read(account.workspaceId), run.id))!;
  const types: string[] = [];
  const take = async (events: { type: string }[]): Promise<void> => {
    const isFirst = types.length === 0;
    types.push(...events.map(({ type }) => type));
    if (!isFirst) return;
    await addEvents(db, run.id, delta('late'));
    await finishTestRun(db, run);
  };
  const { signal } = new AbortController();
  const ended = await followCall({ db }, row, { keyId: account.keyId, signal, take });
  expect(ended.status).toBe('completed');
  expect(types).toEqual(['run.in_progress', 'run.step.started', 'run.output_text.delta', 'run.completed']);
});
