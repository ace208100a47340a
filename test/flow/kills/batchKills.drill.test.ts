import { afterAll, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { balanceOf } from '../../support/account.ts';
import { scriptedLine, setBatchStage } from '../../support/batchStage.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { flowSeed, seededRandom } from '../../support/random.ts';
import { until } from '../../support/until.ts';

const lineCount = 2_000;
const kills = 10;
const concurrency = 8;
const random = seededRandom(flowSeed);

const stage = await setBatchStage({ env: { BATCH_CONCURRENCY: `${concurrency}` } });
afterAll(() => stage.close());

test(`ten kills of the worker: each line of a batch is answered and billed once (seed ${flowSeed})`, async () => {
  const account = await stage.account({ creditUsd: '100' });
  const client = stage.clientOf(account.secret);
  const lines = Array.from({ length: lineCount }, (_, nth) =>
    scriptedLine(`line-${nth}`, { text: `Answer ${nth}.`, headDelayMs: Math.floor(random() * 40) }),
  );
  let worker = await stage.startWorker();
  const { id } = await stage.create(client, lines);
  const completed = async () => (await client.batches.retrieve(id)).request_counts!.completed;
  for (let kill = 1; kill <= kills; kill += 1) {
    const wanted = Math.floor((lineCount * kill) / (kills + 1));
    await until(async () => (await completed()) >= wanted, { pollMs: 10, timeoutMs: 120_000 });
    await sleep(random() * 50);
    await stage.killWorker(worker);
    worker = await stage.startWorker();
  }
  const batch = await stage.ended(client, id);
  expect(batch).toMatchObject({
    status: 'completed',
    request_counts: { total: lineCount, completed: lineCount, failed: 0 },
    error_file_id: null,
  });

  const answers = await stage.read(client, batch.output_file_id);
  expect(answers.map(({ custom_id, response }) => [custom_id, response!.body.choices[0]!.message.content])).toEqual(
    lines.map((_, nth) => [`line-${nth}`, `Answer ${nth}.`]),
  );
  const requestIds = answers.map(({ response }) => response!.request_id);
  const costNanos = answers.reduce((sum, { response }) => sum + Math.round(response!.body.usage.cost! * 1e9), 0);
  expect(await balanceOf(stage.db, account.workspaceId)).toBe(100_000_000_000n - BigInt(costNanos));
  const { rows } = await stage.db.pool.query(BILLED, [account.workspaceId]);
  expect(new Set(rows.map((row) => row.id as string))).toEqual(new Set(requestIds));
  expect(rows.length).toBe(lineCount);
  // Stored answers are not requested again: only the calls that a kill has cut off.
  expect(stage.upstream.calls().length).toBeLessThanOrEqual(lineCount + kills * concurrency);
  await expectSoundLedger(stage.db);
  const { rows: left } = await stage.db.pool.query('select from batch_results where batch_id = $1', [id]);
  expect(left).toEqual([]);
}, 900_000);

const BILLED = 'select id from requests where workspace_id = $1 and cost_nanos > 0';
