import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import { checkInvariants } from '../../../db/invariants/invariants.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { makeAccount } from '../../support/account.ts';
import { ownerUrlOf } from '../../support/database.ts';
import { ask, told } from '../../support/guardStage.ts';
import { setRunStage } from '../../support/runStage.ts';
import { sharedSandbox } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

const stage = await setRunStage();
await seedAgents(stage.db.everywhere);
await stage.startWorker();
const account = await makeAccount(stage.db);
const api = await stage.startApi();
afterAll(() => stage.close());

const call = (path: string, body?: object, headers: Record<string, string> = {}, { secret } = account) =>
  ask(api.url, path, {
    headers: { authorization: `Bearer ${secret}`, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });

const getRun = async (id: string) => (await (await call(`/v1/runs/${id}`)).json()) as RunObject;

const untilIs = (id: string, status: string) => until(async () => (await getRun(id)).status === status);

/** An order for the writer, whose model follows the script. */
const order = (script: object, members: object = {}) => ({
  agent: 'ledgerline/writer',
  input: told(script)[0]!.content,
  ...members,
});

test('a run with Prefer: wait answers with its output and bill, and the usage shows both', async () => {
  const response = await call(
    '/v1/runs',
    { agent: 'ledgerline/writer', input: 'What is two and two?' },
    { prefer: 'wait=30' },
  );
  const run = (await response.json()) as RunObject;
  expect([response.status, run.status]).toEqual([200, 'completed']);
  expect(run.output).toEqual([{ type: 'output_text', text: expect.stringMatching(/./) }]);
  expect(run.usage.settled).toBe(true);
  const { subtotal_usd, network_fee_usd, total_usd, meters } = run.usage;
  expect(total_usd).toBeGreaterThan(0);
  expect(total_usd).toBeCloseTo(subtotal_usd + network_fee_usd, 12);
  expect(meters.reduce((sum, { cost_usd }) => sum + cost_usd, 0)).toBeCloseTo(subtotal_usd, 12);
  const usage = (await (await call('/v1/usage?range=7d')).json()) as { totals: object; by_meter: { id: string }[] };
  expect(usage.totals).toMatchObject({ tasks: 1, completed: 1, spent_usd: total_usd });
  const parts = [...meters.map(({ id }) => id), 'network_fee'];
  expect(usage.by_meter.map(({ id }) => id).toSorted()).toEqual(parts.toSorted());
  const balance = (await (await call('/platform/v1/billing/balance')).json()) as {
    balance_usd: number;
    held_usd: number;
  };
  expect(balance.balance_usd).toBeCloseTo(10 - total_usd, 9);
  expect(balance.held_usd).toBe(0);
});

test("a cancelled running run stops, is billed for its output, and the session's next run begins", async () => {
  const first = (await (await call('/v1/runs', order({ fault: 'endless', delayMs: 20 }))).json()) as RunObject;
  await untilIs(first.id, 'in_progress');
  const { session_id } = first;
  const waiting = { session_id, if_session_busy: 'enqueue' };
  const next = (await (await call('/v1/runs', order({ text: 'Done.' }, waiting))).json()) as RunObject;
  await stage.untilEvent(first.id, 'run.output_text.delta');
  expect((await call(`/v1/runs/${first.id}/cancel`, {})).status).toBe(202);
  await untilIs(first.id, 'cancelled');
  expect((await getRun(first.id)).usage).toMatchObject({ settled: true, total_usd: expect.any(Number) });
  await untilIs(next.id, 'completed');
  expect((await checkInvariants(stage.db.pool)).violations).toEqual([]);
});

test('a streamed run ends with the event that contains the run', async () => {
  const response = await call('/v1/runs', order({ text: 'Done.' }, { stream: true }));
  const events = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(
    ([, data]) => JSON.parse(data!) as { type: string; data: RunObject },
  );
  expect(events[0]!.type).toBe('run.created');
  expect(events.at(-1)!.type).toBe('run.completed');
  expect(events.at(-1)!.data).toEqual(await getRun(events.at(-1)!.data.id));
});

test('a run in test mode is answered by rules and paid with test money, of which its publisher earns nothing', async () => {
  const tester = await makeAccount(stage.db, { isTest: true });
  const earned = async () => {
    const { balancesNanos } = (await checkInvariants(stage.db.pool)).sums;
    return Object.entries(balancesNanos).filter(([name]) => name.startsWith('payable_') || name === 'network_fee');
  };
  const before = await earned();
  const calls = stage.upstream.calls().length;
  const start = async (headers: object) => {
    const sent = { agent: 'ledgerline/writer', input: 'What is two and two?' };
    return (await (await call('/v1/runs', sent, { prefer: 'wait=30', ...headers }, tester)).json()) as RunObject;
  };
  const run = await start({});
  expect(run).toMatchObject({ status: 'completed', output: [{ text: expect.stringContaining('test answer') }] });
  expect(run.usage.total_usd).toBeGreaterThan(0);
  const failed = await start({ 'x-test-fault': 'upstream_refusal' });
  expect(failed).toMatchObject({
    status: 'failed',
    metadata: { test_fault: 'upstream_refusal' },
    usage: { total_usd: 0 },
  });
  const { violations, sums } = await checkInvariants(stage.db.pool);
  expect(violations).toEqual([]);
  expect(sums.balancesNanos.test_network_fee).toBeGreaterThan(0n);
  expect(await earned()).toEqual(before);
  expect(stage.upstream.calls()).toHaveLength(calls);
});

/** Makes a run's events a minute older, which no role of the platform may do. */
async function age(id: string): Promise<void> {
  const client = new Client({ connectionString: ownerUrlOf(stage.databaseUrl) });
  await client.connect();
  await client.query(`update run_events set created_at = created_at - interval '1 minute' where run_id = $1`, [id]);
  await client.end();
}

// The stage's worker has no sandbox, so it takes no tools.
test('a run whose tool no worker takes waits for one, shows that, and goes on', async () => {
  const script = { turns: [{ toolCalls: [{ name: 'list_files', arguments: '{}' }] }, { text: 'None.' }] };
  const { id } = (await (await call('/v1/runs', order(script, { agent: 'ledgerline/analyst' }))).json()) as RunObject;
  await stage.untilEvent(id, 'run.step.completed');
  expect(await getRun(id)).toMatchObject({ status: 'in_progress', status_reason: null });
  await age(id);
  await until(async () => (await getRun(id)).status_reason === 'waits_for_worker');
  const { events } = await stage.client.workflow.getHandle(id).fetchHistory();
  const limits = events!.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled?.activityType?.name === 'toolStep'
      ? [[Number(scheduled.scheduleToStartTimeout?.seconds), Number(scheduled.scheduleToCloseTimeout?.seconds)]]
      : [],
  );
  expect(limits).toEqual([[limits[0]![1], limits[0]![1]]]);
  expect(limits[0]![1]).toBeGreaterThan(300);
  const worker = await stage.startWorker({ sandbox: await sharedSandbox() });
  try {
    await untilIs(id, 'completed');
    expect(await getRun(id)).toMatchObject({ status_reason: null, output: [{ type: 'output_text', text: 'None.' }] });
  } finally {
    await stage.stopWorker(worker);
  }
});
