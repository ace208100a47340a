import { afterAll, expect, test } from '@jest/globals';
import type { EventHead } from '../../../db/events/appendEvents.ts';
import { finishRun } from '../../../db/runs/states/finishRun.ts';
import { rebuildRun, type RunRecord } from '../../../db/runs/rebuildRun.ts';
import { balanceOf, makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { makeRun } from '../../support/run.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const at = new Date().toISOString();
const facts = { step_id: 'step_x', attempt: 1 };
const sums = { meters: [], total_usd: 0.00022, held_usd: 0.001 };
const types = ['run.in_progress', 'run.step.started', 'run.step.completed', 'run.usage.updated'] as const;
const heads = types.map((type, index) => ({
  type,
  sequence: index + 3,
  at,
  ...(type.startsWith('run.step.') && { facts }),
  ...(type === 'run.usage.updated' && { facts: sums }),
}));

/** The history of a run whose one step wrote twenty tokens. */
const record: RunRecord = {
  events: [{ type: 'run.completed', sequence: 7, at }],
  steps: [{ step: 1, meters: { model_output_tokens: 20_000 }, events: heads }],
  result: {
    status: 'completed',
    meters: { model_output_tokens: 20_000 },
    subtotalNanos: 200_000n,
    networkFeeNanos: 20_000n,
    absorbedNanos: 0n,
  },
};

async function makeQueued() {
  const account = await makeAccount(db);
  const { id, holdId } = await makeRun(db, account, { maxCostNanos: 1_000_000n });
  const card = { meters: [{ id: 'model_output_tokens', price_usd: 0.00001 }], network_fee_percentage: 10 };
  await db.pool.query('update runs set rate_card = $2 where id = $1', [id, JSON.stringify(card)]);
  return { account, id, holdId };
}

test('a rebuilt run is settled in the same transaction, once, with all of its events', async () => {
  const { account, id, holdId } = await makeQueued();
  const before = await balanceOf(db, account.workspaceId);
  const report = { statusWas: 'queued', status: 'completed', events: 7 };
  expect(await rebuildRun(db, id, record)).toMatchObject(report);
  expect(await rebuildRun(db, id, record)).toMatchObject({ ...report, statusWas: 'completed', events: 0 });
  expect(before - (await balanceOf(db, account.workspaceId))).toBe(220_000n);
  const { rows } = await db.pool.query('select state from holds where id = $1', [holdId]);
  expect(rows).toEqual([{ state: 'settled' }]);
  const { events } = await finishRun(db, id, { status: 'completed' });
  expect(events.slice(2)).toEqual([...heads, ...record.events]);
  await expectSoundLedger(db);
});

test('a run that is rebuilt after its settlement crossed a minute has the time of its entries again', async () => {
  const { id } = await makeQueued();
  const ended: EventHead = { type: 'run.completed', sequence: 7, at: new Date(Date.parse(at) - 120_000).toISOString() };
  await rebuildRun(db, id, { ...record, events: [ended] });
  await db.pool.query(`update runs set status = 'queued', completed_at = null, settled_at = null where id = $1`, [id]);
  await rebuildRun(db, id, { ...record, events: [ended] });
  const { rows } = await db.pool.query(
    `select r.completed_at, r.settled_at = e.created_at as settled, u.settled_at = e.created_at as metered
     from runs r join run_usage u on u.run_id = r.id join ledger_entries e on e.subject = r.id and e.kind = 'debit' where r.id = $1`,
    [id],
  );
  expect(rows).toEqual([{ completed_at: new Date(ended.at), settled: true, metered: true }]);
});
