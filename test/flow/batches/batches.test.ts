import { afterAll, describe, expect, test } from '@jest/globals';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { signDays } from '../../../db/bill/signDays.ts';
import { pruneFiles } from '../../../db/files/files.ts';
import { WORKSPACE_BYTES_MAX } from '../../../db/files/upload.ts';
import { Receipts, type Receipt } from '../../../clients/typescript/src/index.ts';
import { balanceOf } from '../../support/account.ts';
import { chatLine, scriptedLine, setBatchStage, slowLines } from '../../support/batchStage.ts';
import { daysFromNow } from '../../support/billDays.ts';
import { getJson } from '../../support/http.ts';
import { until } from '../../support/until.ts';
import { embeddingModel, textModel } from '../../support/startApi.ts';

const PLUGIN_SECRETS_KEY = createSealingKey();

const stage = await setBatchStage({ env: { BATCH_CONCURRENCY: '2', PLUGIN_SECRETS_KEY } });
const client = stage.clientOf((await stage.account({ creditUsd: '100' })).secret);
await stage.startWorker();
afterAll(() => stage.close());

const chat = '/v1/chat/completions';

const run = async (lines: (object | string)[], by = client, order = {}) =>
  stage.ended(by, (await stage.create(by, lines, order)).id);

/** The members of the platform's answers that these tests read. */
interface PlatformAnswer {
  settled_at?: string;
  data?: object[];
  spend?: object[];
  pricing?: object;
}

describe('a file with errors fails its batch, and no line runs', () => {
  test.each<[string, object | string, object]>([
    ['text that is no JSON', '{"custom_id": ', { code: 'invalid_json_line', line: 2, param: null }],
    ['JSON that is no object', '[1]', { code: 'invalid_json_line', line: 2 }],
    [
      'a line without an id',
      { method: 'POST', url: '/v1/chat/completions', body: {} },
      { code: 'missing_required_parameter', param: 'custom_id' },
    ],
    ['an id of two lines', chatLine('good', 'x'), { code: 'duplicate_custom_id', line: 2, param: 'custom_id' }],
    [
      'another endpoint',
      { ...chatLine('a', 'x'), url: '/v1/embeddings' },
      { code: 'mismatched_endpoint', line: 2, param: 'url' },
    ],
    [
      'an unknown endpoint',
      { ...chatLine('a', 'x'), url: '/v1/runs' },
      { code: 'mismatched_endpoint', line: 2, param: 'url' },
    ],
    ['another method', { ...chatLine('a', 'x'), method: 'GET' }, { code: 'invalid_value', line: 2, param: 'method' }],
    ['a body that is a text', { ...chatLine('a', 'x'), body: 'x' }, { code: 'invalid_value', line: 2, param: 'body' }],
    [
      'an unknown model',
      chatLine('a', 'x', { model: 'gpt-9' }),
      { code: 'model_not_found', line: 2, param: 'body.model' },
    ],
    ['a model of another kind', chatLine('a', 'x', { model: embeddingModel }), { code: 'model_not_found', line: 2 }],
  ])('%s', async (_name, line, error) => {
    const batch = await run([chatLine('good', 'Hello.'), line]);
    expect(batch).toMatchObject({
      status: 'failed',
      failed_at: expect.any(Number),
      output_file_id: null,
      errors: { object: 'list', data: [{ message: expect.any(String), ...error }] },
      request_counts: { total: 0, completed: 0, failed: 0 },
      estimate: null,
    });
  });

  test('a file of blank lines', async () => {
    expect((await run(['', '  '])).errors!.data).toMatchObject([{ code: 'empty_file', line: null }]);
  });

  test('more lines than a batch may have', async () => {
    const line = JSON.stringify(chatLine('N', 'x'));
    const lines = Array.from({ length: 50_001 }, (_, nth) => line.replace('"N"', `"${nth}"`));
    expect((await run(lines)).errors!.data).toMatchObject([{ code: 'too_many_tasks', line: null }]);
  });

  test('the first thousand errors are listed', async () => {
    const { errors } = await run(Array.from({ length: 1_500 }, () => 'x'));
    expect([errors!.data!.length, errors!.data!.at(-1)!.line]).toEqual([1_000, 1_000]);
  });
});

test('a file may have a byte order mark, blank lines and carriage returns', async () => {
  const text = `\ufeff${JSON.stringify(chatLine('a', 'x'))}\r\n\r\n  \n${JSON.stringify(chatLine('b', 'y'))}\r\n`;
  const batch = await run([text]);
  expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 2, completed: 2 } });
});

test('a line that is refused or fails is in the error file with the answer of a live call, and bills nothing', async () => {
  const account = await stage.account({ creditUsd: '1' });
  const by = stage.clientOf(account.secret);
  const batch = await run(
    [
      chatLine('streamed', 'x', { stream: true }),
      chatLine('wrong', 'x', { temperature: 9 }),
      scriptedLine('upstream', { status: 500 }),
      chatLine('good', 'Hello.'),
    ],
    by,
  );
  expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 4, completed: 1, failed: 3 } });
  const errors = await stage.read(by, batch.error_file_id);
  expect(
    errors.map(({ custom_id, response }) => [custom_id, response!.status_code, response!.body.error.param]),
  ).toEqual([
    ['streamed', 400, 'stream'],
    ['wrong', 400, 'temperature'],
    ['upstream', 502, null],
  ]);
  expect(errors[0]!.response!.body.error).toMatchObject({ message: expect.stringContaining('in a line of a batch') });
  // Each is among the requests, with its reason.
  for (const { response } of errors) {
    const { request_id: requestId, status_code: status, body } = response!;
    const { code, message } = body.error;
    const call = { status, model: textModel, route: '/textapi/v1/batches/chat/completions', error: { code, message } };
    const path = `${stage.url}/platform/v1/requests/${requestId}`;
    const read = () => getJson<{ error: { code: string } | null }>(path, account.secret);
    await until(async () => (await read()).body.error?.code === code);
    expect((await read()).body).toMatchObject({ ...call, cost_usd: 0, calls: 1 });
  }
  const [good] = await stage.read(by, batch.output_file_id);
  const cost = good!.response!.body.usage.cost!;
  expect(await balanceOf(stage.db, account.workspaceId)).toBe(1_000_000_000n - BigInt(Math.round(cost * 1e9)));
  expect((batch.usage as unknown as { cost: number }).cost).toBe(cost);
});

test.each<[string, object]>([
  ['/v1/chat/completions', { model: textModel, messages: [{ role: 'user', content: 'Hello.' }], max_tokens: 64 }],
  ['/v1/completions', { model: textModel, prompt: 'Hello.', max_tokens: 64 }],
  ['/v1/responses', { model: textModel, input: 'Hello.', max_output_tokens: 64 }],
  ['/v1/embeddings', { model: embeddingModel, input: 'Hello.' }],
])('a batch of %s shows the most that it can cost, to which a refused line adds nothing', async (endpoint, body) => {
  const lineOf = (customId: string, members = {}) => ({
    custom_id: customId,
    method: 'POST',
    url: endpoint,
    body: { ...body, ...members },
  });
  const estimateOf = (batch: object) => (batch as { estimate: { max_cost: number } | null }).estimate!.max_cost;
  const one = await run([lineOf('a')], client, { endpoint });
  const three = await run([lineOf('a'), lineOf('b'), lineOf('c', { user: 7 })], client, { endpoint });
  expect(one.usage as unknown).toMatchObject({ cost: expect.any(Number) });
  const { cost } = one.usage as unknown as { cost: number };
  expect(cost).toBeGreaterThan(0);
  expect(estimateOf(one)).toBeGreaterThanOrEqual(cost);
  expect(three.request_counts).toMatchObject({ completed: 2, failed: 1 });
  expect(estimateOf(three)).toBeCloseTo(2 * estimateOf(one), 9);
});

test('a file that is deleted while its batch runs is read to its end', async () => {
  const created = await stage.create(client, slowLines(8));
  await client.files.delete(created.input_file_id);
  await expect(client.files.retrieve(created.input_file_id)).rejects.toMatchObject({ status: 404 });
  expect(await stage.ended(client, created.id)).toMatchObject({ request_counts: { completed: 8 } });
});

test('a batch whose workspace becomes full has its results, and the next one is refused until there is room', async () => {
  const by = stage.clientOf((await stage.account()).secret);
  const created = await stage.create(by, slowLines(4));
  const large = await stage.upload(by, ['A large file.']);
  const fill = (sizeBytes: number) =>
    stage.db.pool.query('update files set size_bytes = $2 where id = $1', [large, sizeBytes]);
  await fill(WORKSPACE_BYTES_MAX);
  const batch = await stage.ended(by, created.id);
  expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 4, completed: 4 } });
  expect(await stage.read(by, batch.output_file_id)).toHaveLength(4);
  const order = { input_file_id: created.input_file_id, endpoint: chat, completion_window: '24h' } as const;
  await expect(by.batches.create(order)).rejects.toMatchObject({ status: 413, code: 'storage_limit_exceeded' });
  await fill(1);
  expect(await by.batches.create(order)).toMatchObject({ status: 'validating' });
});

test('the files of results are kept as long as the caller says, and then deleted', async () => {
  const order = { output_expires_after: { anchor: 'created_at', seconds: 3_600 } as const };
  const batch = await run([chatLine('a', 'x')], client, order);
  const file = await client.files.retrieve(batch.output_file_id!);
  expect(file).toMatchObject({ purpose: 'batch_output', expires_at: file.created_at + 3_600 });
  await stage.db.pool.query(`update files set expires_at = now() - interval '1 second' where id = $1`, [file.id]);
  await expect(client.files.content(file.id)).rejects.toMatchObject({ status: 404 });
  while ((await pruneFiles(stage.db.everywhere)) > 0);
  const { rows } = await stage.db.pool.query('select from file_chunks where file_id = $1', [file.id]);
  expect(rows).toEqual([]);
});

test('lines are of the product batch, at its price, in requests, usage, statement and explanations', async () => {
  const account = await stage.account({ scopes: ['llm', 'batch'] });
  const by = stage.clientOf(account.secret);
  const batch = await run([chatLine('a', 'Hello.')], by);
  const [answer] = await stage.read(by, batch.output_file_id);
  const { request_id: id, body } = answer!.response!;
  const read = async (path: string) =>
    (
      await stage.ask(path, { headers: { authorization: `Bearer ${account.secret}` } })
    ).json() as Promise<PlatformAnswer>;
  const cost = body.usage.cost;
  const call = await read(`/platform/v1/requests/${id}`);
  expect(call).toMatchObject({ route: '/textapi/v1/batches/chat/completions', cost_usd: cost });
  expect(await read(`/platform/v1/explain/${id}`)).toMatchObject({ total_usd: cost });
  expect((await read('/platform/v1/usage?group_by=product')).data).toMatchObject([
    { product: 'batch', cost_usd: cost },
  ]);
  const month = call.settled_at!.slice(0, 7);
  expect((await read(`/platform/v1/billing/statement?month=${month}`)).spend).toMatchObject([{ product: 'batch' }]);
  const { pricing } = await read(`/v1/models/${textModel}`);
  expect(pricing).toMatchObject({ prompt: '0.0000003', batch: { prompt: '0.00000015', completion: '0.00000125' } });
});

test('a line has a receipt that the client verifies', async () => {
  const { secret } = await stage.account({ creditUsd: '1' });
  const by = stage.clientOf(secret);
  const [line] = await stage.read(by, (await run([chatLine('a', 'Hello.')], by)).output_file_id);
  await stage.db.ledger.posted();
  await signDays(stage.db.everywhere, parseSealingKeys(PLUGIN_SECRETS_KEY), { now: daysFromNow(1) });
  const receipt = `${stage.url}/platform/v1/receipts/${line!.response!.request_id}`;
  const { body } = await getJson<Receipt>(receipt, secret);
  expect(body).toMatchObject({ status: 'signed', entries: [{ entry: { kind: 'debit' } }] });
  const { body: published } = await getJson<{ keys: never[] }>(`${stage.url}/.well-known/ledgerline-bill-keys.json`);
  expect(await new Receipts().verify(body, published)).toMatchObject([{ kind: 'debit' }]);
});
