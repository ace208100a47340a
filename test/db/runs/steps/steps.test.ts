import { afterAll, expect, test } from '@jest/globals';
import type { Pricing } from '../../../../db/entities/agentJson.ts';
import { costSoFarOf, type CostSoFar } from '../../../../db/runs/runObject.ts';
import { beginStep, beginToolStep, type StepBeginning } from '../../../../db/runs/steps/beginStep.ts';
import { requestCancel } from '../../../../db/runs/states/cancelRun.ts';
import { finishRun } from '../../../../db/runs/states/finishRun.ts';
import type { BegunStep } from '../../../../db/runs/stepFacts.ts';
import { finishLastStep, finishStep } from '../../../../db/runs/steps/steps.ts';
import { makeAccount } from '../../../support/account.ts';
import { setTestDatabase } from '../../../support/database.ts';
import { expectSoundLedger } from '../../../support/ledger.ts';
import { makeRun } from '../../../support/run.ts';

const db = await setTestDatabase();
const account = await makeAccount(db);
afterAll(() => db.close());

const card = { meters: [{ id: 'model_output_tokens', price_usd: 0.00001 }], network_fee_percentage: 10 };

/** A queued run, at ten micro-dollars a token. */
async function queuedRun(): Promise<string> {
  const { id } = await makeRun(db, account, { maxCostNanos: 1_000_000n });
  await db.pool.query('update runs set rate_card = $2 where id = $1', [id, JSON.stringify(card)]);
  return id;
}

const begin = (runId: string): Promise<StepBeginning> =>
  beginStep(db.pool, { runId, step: 1, kind: 'model', name: 'model' });

async function begun(runId: string): Promise<BegunStep> {
  const beginning = await begin(runId);
  if (beginning.state !== 'begun') throw new Error(`the step is ${beginning.state}`);
  return beginning.begun;
}

// Twenty tokens.
const end = (step: BegunStep, ledger: Pick<typeof db.ledger, 'settleRun'> = db.ledger) =>
  finishLastStep({ pool: db.pool, ledger: ledger as typeof db.ledger }, step, {
    state: 'completed',
    result: {},
    quantities: { model_output_tokens: 20_000 },
    run: { status: 'completed' },
  });

async function stateOf(runId: string) {
  const { rows } = await db.pool.query(
    `select r.status, r.total_nanos::int as total, h.state as hold, s.state as step,
       (select array_agg(e.type order by e.sequence) from run_events e where e.run_id = r.id) as events,
       (select count(*)::int from ledger_entries l where l.subject = r.id and l.kind = 'debit') as debits
     from runs r join holds h on h.id = r.hold_id join run_steps s on s.run_id = r.id where r.id = $1`,
    [runId],
  );
  return rows[0] as unknown;
}

const going = { status: 'in_progress', total: 0, hold: 'open', step: 'started', debits: 0 };
const completed = { status: 'completed', total: 220_000, hold: 'settled', step: 'completed', debits: 1 };
const beginning = ['run.in_progress', 'run.step.started'];
const ending = ['run.step.completed', 'run.usage.updated', 'run.completed'];

test('a run leaves the queue with its first step, once', async () => {
  const id = await queuedRun();
  const first = await begin(id);
  const second = await begin(id);
  expect(first).toMatchObject({ state: 'begun', begun: { attempt: 1 }, events: beginning.map((type) => ({ type })) });
  expect(second).toMatchObject({ state: 'begun', begun: { attempt: 2 }, events: [{ type: 'run.step.started' }] });
  expect(await stateOf(id)).toEqual({ ...going, events: [...beginning, 'run.step.started'] });
});

test("a run's last step and its end are written together or not at all", async () => {
  const id = await queuedRun();
  const step = await begun(id);
  const failing = { settleRun: () => Promise.reject(new Error('cut')) };
  await expect(end(step, failing)).rejects.toThrow('cut');
  expect(await stateOf(id)).toEqual({ ...going, events: beginning });
  await end(step);
  expect(await stateOf(id)).toEqual({ ...completed, events: [...beginning, ...ending] });
});

test('an overtaken worker ends neither the step nor the run, and a run ends once', async () => {
  const id = await queuedRun();
  const [overtaken, step] = [await begun(id), await begun(id)];
  await expect(end(overtaken)).rejects.toMatchObject({ name: 'StepLost', isOver: false });
  const outcomes = await Promise.allSettled([end(step), end(step), end(step)]);
  await expect(end(step)).rejects.toMatchObject({ name: 'StepLost', isOver: true });
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await begin(id)).toEqual({ state: 'over' });
  expect(await stateOf(id)).toEqual({ ...completed, events: [...beginning, 'run.step.started', ...ending] });
  await expectSoundLedger(db);
});

test('a run that fails costs nothing, and the platform bears what it has consumed', async () => {
  const id = await queuedRun();
  const step = await begun(id);
  const quantities = { model_output_tokens: 20_000 };
  await finishStep(db.pool, step, { state: 'completed', result: {}, quantities, childNanos: 40_000n });
  const { rows } = await db.pool.query(`select data from run_events where run_id = $1 and type = 'run.usage.updated'`, [
    id,
  ]);
  expect(rows).toMatchObject([{ data: { total_usd: 0.00022, children_usd: 0.00004 } }]);
  expect(costSoFarOf(rows[0].data as CostSoFar)).toBe(0.00026);
  const failed = { status: 'failed', fault: 'platform', code: 'internal_error', message: 'Broken.' } as const;
  const { totalNanos, absorbedNanos } = await finishRun(db, id, failed);
  expect({ totalNanos, absorbedNanos }).toEqual({ totalNanos: 0n, absorbedNanos: 220_000n });
  expect(await stateOf(id)).toMatchObject({ status: 'failed', total: 0, hold: 'released', debits: 0 });
  await expectSoundLedger(db);
});

test('a run that is being cancelled begins no further step, before its workflow hears of it', async () => {
  const id = await queuedRun();
  const step = await begun(id);
  const { workspaceId } = account;
  const { outcome } = await requestCancel(db, { workspaceId, runId: id, mode: 'graceful', reason: null });
  expect(outcome).toBe('cancelling');
  // What has begun may be carried out by another worker: it may have started the run of another agent.
  expect(await begin(id)).toMatchObject({ state: 'begun', begun: { attempt: 2 } });
  const next = { runId: id, step: 2, name: 'next' };
  expect(await beginStep(db.pool, { ...next, kind: 'model' })).toEqual({ state: 'cancelling' });
  const meter = { id: 'tool_calls', unit: 'call', price_usd: 0.000001, description: '' };
  const cost = { minimum_cost_usd: 0, maximum_cost_usd: 1, network_fee_percentage: 10 };
  const prices: Pricing = { id: 'rate_a', currency: 'USD', ...cost, meters: [meter] };
  const tool = beginToolStep(db.pool, { ...next, kind: 'tool', prices });
  expect(await tool).toMatchObject({ state: 'cancelling' });
  await finishStep(db.pool, { ...step, attempt: 2 }, { state: 'completed', result: {}, quantities: {} });
  expect(await begin(id)).toMatchObject({ state: 'done' });
});
