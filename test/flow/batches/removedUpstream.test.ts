import { afterAll, afterEach, expect, test } from '@jest/globals';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import type { BatchScript } from '../../../rules/scripted/batches.ts';
import { balanceOf } from '../../support/account.ts';
import { chatLine, setBatchStage } from '../../support/batchStage.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { textModel } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';

const stage = await setBatchStage();
afterAll(() => stage.close());
afterEach(() => stage.upstream.reset());

/** A model at an upstream with batches, and at another one, which alone may be left. */
const catalogOf = (names: string[]) => ({
  upstreams: Object.fromEntries(names.map((name) => [name, { baseUrl: stage.upstream.url, batches: true }])),
  models: [
    {
      id: 'moved',
      kind: 'text',
      aliases: [],
      outputTokensMax: 4096,
      usdPerMillion: { input_tokens: 0.6, output_tokens: 5 },
      upstreams: [...names, 'main'].map((upstream) => ({ upstream, model: textModel })),
    },
  ],
});

let worker: Awaited<ReturnType<typeof stage.startWorker>>;
afterEach(() => stage.killWorker(worker));

/** Batches of three lines each, of one account each, whose worker was killed while the lines were at their upstream. */
async function interrupt(...scripts: BatchScript[]) {
  worker = await stage.startWorker({}, catalogOf(['gone']));
  const orders = [];
  for (const script of scripts) {
    stage.upstream.batches.script(script);
    const account = await stage.account({ creditUsd: '10' });
    const client = stage.clientOf(account.secret);
    const lines = Array.from({ length: 3 }, (_, nth) => chatLine(`${nth}`, 'x', { model: 'moved' }));
    const { id } = await stage.create(client, lines);
    orders.push({ account, client, id });
    await until(() => stage.upstream.calls().filter(({ endedAt }) => endedAt).length === 3 * orders.length);
  }
  await stage.killWorker(worker);
  return orders;
}

type Order = Awaited<ReturnType<typeof interrupt>>[number];

/** What a batch has answered is what its account paid. */
async function expectPaid({ account, client, id }: Order): Promise<void> {
  const answers = await stage.read(client, (await client.batches.retrieve(id)).output_file_id);
  const costNanos = answers.reduce((sum, { response }) => sum + Math.round(response!.body.usage.cost! * 1e9), 0);
  expect(await balanceOf(stage.db, account.workspaceId)).toBe(10_000_000_000n - BigInt(costNanos));
}

async function expectNothingHeld(): Promise<void> {
  const { rowCount } = await stage.db.pool.query(`select from holds where process_id = 'runs' and state = 'open'`);
  expect(rowCount).toBe(0);
  await expectSoundLedger(stage.db);
}

test('lines at an upstream that the catalogue has lost run as calls, and nothing stays held', async () => {
  // The second one's worker does not know yet that its lines are there.
  const orders = await interrupt({ stopsAfter: 3 }, { stopsAfter: 3, answersNoCreation: true });
  worker = await stage.startWorker({}, catalogOf([]));
  for (const order of orders) {
    const batch = await stage.ended(order.client, order.id);
    expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 3, completed: 3 } });
    await expectPaid(order);
  }
  await expectNothingHeld();
});

test('lines of which no worker knows that they are at an upstream end with their batch, and nothing stays held', async () => {
  const script = { answersNoCreation: true };
  const [cancelled, revoked] = (await interrupt({ ...script, stopsAfter: 3 }, script)) as [Order, Order];
  await cancelled.client.batches.cancel(cancelled.id);
  await revokeKey(stage.db, revoked.account.keyId);
  worker = await stage.startWorker({}, catalogOf(['gone']));
  const batch = await stage.ended(cancelled.client, cancelled.id);
  expect(batch).toMatchObject({ status: 'cancelled', request_counts: { total: 3, completed: 3 } });
  await expectPaid(cancelled);
  const stateOf = async () =>
    (await stage.db.pool.query('select status, failed from batches where id = $1', [revoked.id])).rows[0];
  await until(async () => (await stateOf()).status === 'completed');
  expect(await stateOf()).toEqual({ status: 'completed', failed: 3 });
  expect(await balanceOf(stage.db, revoked.account.workspaceId)).toBe(10_000_000_000n);
  await expectNothingHeld();
});
