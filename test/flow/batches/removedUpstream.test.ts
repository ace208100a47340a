import { afterAll, expect, test } from '@jest/globals';
import { balanceOf } from '../../support/account.ts';
import { chatLine, setBatchStage } from '../../support/batchStage.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { textModel } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';

const stage = await setBatchStage();
afterAll(() => stage.close());

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

test('lines at an upstream that the catalogue has lost run as calls, and nothing stays held', async () => {
  const account = await stage.account({ creditUsd: '10' });
  const client = stage.clientOf(account.secret);
  const worker = await stage.startWorker({}, catalogOf(['gone']));
  stage.upstream.batches.script({ stopsAfter: 3 });
  const lines = Array.from({ length: 3 }, (_, nth) => chatLine(`${nth}`, 'x', { model: 'moved' }));
  const created = await stage.create(client, lines);
  await until(() => stage.upstream.calls().filter(({ endedAt }) => endedAt).length === 3);
  await stage.killWorker(worker);
  await stage.startWorker({}, catalogOf([]));
  const batch = await stage.ended(client, created.id);
  expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 3, completed: 3 } });
  const answers = await stage.read(client, batch.output_file_id);
  const costNanos = answers.reduce((sum, { response }) => sum + Math.round(response!.body.usage.cost! * 1e9), 0);
  expect(await balanceOf(stage.db, account.workspaceId)).toBe(10_000_000_000n - BigInt(costNanos));
  const { rowCount } = await stage.db.pool.query(`select from holds where process_id = 'runs' and state = 'open'`);
  expect(rowCount).toBe(0);
  await expectSoundLedger(stage.db);
});
