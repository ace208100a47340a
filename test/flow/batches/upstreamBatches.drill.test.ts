import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type OpenAI from 'openai';
import { newId } from '../../../db/ids.ts';
import { decideProposal, insertProposal } from '../../../db/liveCatalog/proposals.ts';
import type { ScriptedBatch } from '../../../rules/scripted/batches.ts';
import { balanceOf } from '../../support/account.ts';
import { chatLine, scriptedLine, setBatchStage, type BatchStage, type ResultLine } from '../../support/batchStage.ts';
import { expectSoundLedger } from '../../support/ledger.ts';
import { embeddingModel, textModel } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import type { RunningWorker } from '../../support/startWorker.ts';

let worker: RunningWorker;
let account: Awaited<ReturnType<BatchStage['account']>>;
let client: OpenAI;

interface RoutedModel {
  routing?: object;
  order?: string[];
  /** Of the upstream with batches. */
  place?: object;
}

/** The upstream has batches, and so does this service, as the upstream of one of its own models. */
const catalogOf = (apiKey: string) => ({
  main: { batches: true },
  upstreams: {
    own: { baseUrl: `${stage.api.url}/textapi/v1`, apiKey, batches: true },
    strict: { baseUrl: stage.upstream.url, batches: true, outputLimit: 'max_tokens', region: 'us', retention: 'none' },
    near: { baseUrl: stage.upstream.url, region: 'eu', retention: 'none' },
  },
  models: [
    ...Object.entries({
      strict: {},
      european: { routing: { regions: ['eu'] } },
      american: { routing: { regions: ['us'] }, order: ['near', 'strict'] },
      forgetful: { routing: { retention: 'none' } },
      plain: { place: { without: ['logprobs'] } },
      liar: { place: { answersAs: ['another-model'] } },
    }).map(([id, { order = ['strict', 'near'], place = {}, ...more }]: [string, RoutedModel]) => ({
      id,
      kind: 'text',
      aliases: [],
      outputTokensMax: 4096,
      usdPerMillion: { input_tokens: 0.6, output_tokens: 5 },
      upstreams: order.map((upstream) => ({ upstream, model: textModel, ...(upstream === 'strict' && place) })),
      ...more,
    })),
    {
      id: 'resold-text',
      kind: 'text',
      aliases: [],
      outputTokensMax: 4096,
      usdPerMillion: { input_tokens: 0.6, output_tokens: 5 },
      upstreams: [{ upstream: 'own', model: textModel }],
    },
  ],
});

const stage = await setBatchStage();
const reseller = await stage.account({ creditUsd: '100' });
worker = await stage.startWorker({}, catalogOf(reseller.secret));
beforeEach(async () => {
  stage.upstream.reset();
  account = await stage.account({ creditUsd: '10' });
  client = stage.clientOf(account.secret);
});
afterAll(() => stage.close());

const run = async (lines: object[], order = {}) => stage.ended(client, (await stage.create(client, lines, order)).id);
const chats = (count: number) => Array.from({ length: count }, (_, nth) => chatLine(`line-${nth}`, `Say ${nth}.`));
/** Calls that came one by one, not in a batch. */
const liveCalls = () => stage.upstream.calls().filter(({ headers }) => !('x-batch' in headers));
const openHolds = async () =>
  (await stage.db.pool.query(`select from holds where process_id = 'runs' and state = 'open'`)).rowCount;

/** Fails unless the account has paid the sum of its answers, each once, and nothing is held. */
async function expectPaid(batch: OpenAI.Batch, answered: number): Promise<void> {
  const answers = await stage.read(client, batch.output_file_id);
  expect(answers).toHaveLength(answered);
  const costNanos = answers.reduce((sum, { response }) => sum + Math.round(response!.body.usage.cost! * 1e9), 0);
  expect(costNanos > 0 || answered === 0).toBe(true);
  expect(await balanceOf(stage.db, account.workspaceId)).toBe(10_000_000_000n - BigInt(costNanos));
  expect(await openHolds()).toBe(0);
  await expectSoundLedger(stage.db);
}

test('lines run as a batch of their upstream, at the batch price, in the order and with the ids of the caller', async () => {
  const batch = await run(chats(40), { metadata: { secret: 'of the customer' } });
  expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 40, completed: 40, failed: 0 } });
  const answers = await stage.read(client, batch.output_file_id);
  expect(answers.map(({ custom_id }) => custom_id)).toEqual(chats(40).map((_, nth) => `line-${nth}`));
  expect(answers[0]!.response!.body).toMatchObject({ object: 'chat.completion', model: textModel });
  const { prompt_tokens: prompt, completion_tokens: completion, cost } = answers[0]!.response!.body.usage;
  expect(cost).toBeCloseTo((prompt! * 150 + completion! * 1_250) / 1e9, 12);
  await expectPaid(batch, 40);
  expect(liveCalls()).toEqual([]);
  const sent = stage.upstream.batches.all();
  expect(sent).toMatchObject([
    { endpoint: '/v1/chat/completions', metadata: { reference: expect.stringMatching(/^part_/) } },
  ]);
  expect(JSON.stringify(sent)).not.toContain('customer');
  // Their files are deleted there.
  expect(stage.upstream.batches.files().size).toBe(0);
  const { rows } = await stage.db.pool.query(
    'select distinct upstream, attempts from requests where workspace_id = $1',
    [account.workspaceId],
  );
  expect(rows).toEqual([{ upstream: 'main', attempts: 1 }]);
});

test.each([
  ['/v1/completions', { model: textModel, prompt: 'Once' }, { object: 'text_completion' }],
  ['/v1/responses', { model: textModel, input: 'Hello.' }, { object: 'response', status: 'completed' }],
  ['/v1/embeddings', { model: embeddingModel, input: 'Hello.', encoding_format: 'base64' }, { object: 'list' }],
])('lines of %s too', async (endpoint, body, answer) => {
  const batch = await run([{ custom_id: 'only', method: 'POST', url: endpoint, body }], { endpoint });
  const [only] = await stage.read(client, batch.output_file_id);
  expect(only).toMatchObject({ custom_id: 'only', response: { status_code: 200, body: answer } });
  expect(liveCalls()).toEqual([]);
  await expectPaid(batch, 1);
});

test('lines of several models are a batch each', async () => {
  const wish = { model: 'resold-text' };
  const batch = await run([chatLine('a', 'x'), chatLine('b', 'x', wish), chatLine('c', 'x'), chatLine('d', 'x', wish)]);
  expect(batch).toMatchObject({ status: 'completed', request_counts: { completed: 4 } });
  const answers = await stage.read(client, batch.output_file_id);
  expect(answers.map(({ response }) => (response!.body as unknown as { model: string }).model)).toEqual([
    textModel,
    'resold-text',
    textModel,
    'resold-text',
  ]);
  // This service as an upstream: two lines of its own workspace, whose upstream also has batches.
  expect(stage.upstream.batches.all()).toHaveLength(2);
  const { rows } = await stage.db.pool.query('select completed, status from batches where workspace_id = $1', [
    reseller.workspaceId,
  ]);
  expect(rows).toEqual([{ completed: 2, status: 'completed' }]);
  expect(liveCalls()).toEqual([]);
  await expectPaid(batch, 4);
});

test.each([
  ['its region', 'european', {}, 0],
  ['its data policy', 'forgetful', {}, 0],
  ['a parameter that it does not support', 'plain', { logprobs: true }, 0],
  ['a parameter that it supports', 'plain', { seed: 7 }, 1],
  ['the region of the upstream before it', 'american', {}, 1],
])('an upstream gets the lines of a model as its rule says: by %s', async (_name, model, more, batches) => {
  const batch = await run([chatLine('only', 'x', { model, ...more })]);
  expect(batch).toMatchObject({ status: 'completed', request_counts: { completed: 1 } });
  expect([stage.upstream.batches.all().length, liveCalls().length]).toEqual([batches, 1 - batches]);
  await expectPaid(batch, 1);
});

test('the lines of a key that demands no retention are in no batch of an upstream, whatever that keeps of calls', async () => {
  await stage.db.pool.query('update api_keys set no_retention = true where id = $1', [account.keyId]);
  const batch = await run([chatLine('only', 'x', { model: 'strict' })]);
  expect([stage.upstream.batches.all().length, liveCalls().length]).toEqual([0, 1]);
  await expectPaid(batch, 1);
});

test('an upstream that answers as another model is left for the next one', async () => {
  const batch = await run([chatLine('only', 'x', { model: 'liar' })]);
  expect(stage.upstream.batches.all()).toHaveLength(1);
  await stage.db.ledger.posted();
  const { rows } = await stage.db.pool.query('select upstream from requests where workspace_id = $1 and status = 200', [
    account.workspaceId,
  ]);
  expect(rows).toEqual([{ upstream: 'near' }]);
  await expectPaid(batch, 1);
});

test('the limit of an answer has the name that its upstream takes', async () => {
  const limit = { max_tokens: undefined, max_completion_tokens: 5 };
  const batch = await run([chatLine('only', 'x', { model: 'strict', ...limit })]);
  const body = stage.upstream.calls()[0]!.body;
  expect(body).toMatchObject({ max_tokens: 5 });
  expect(body).not.toHaveProperty('max_completion_tokens');
  await expectPaid(batch, 1);
});

test.each([{ refuseFiles: 403 }, { refuseBatches: 429 }, { refuseBatches: 500 }, { fails: true }])(
  'lines that the upstream refuses as a batch (%j) run as calls',
  async (script) => {
    stage.upstream.batches.script(script);
    const batch = await run(chats(12));
    expect(batch).toMatchObject({ status: 'completed', request_counts: { completed: 12 } });
    expect(liveCalls()).toHaveLength(12);
    await expectPaid(batch, 12);
  },
);

test('a batch whose creation was answered by a broken socket is found again, and not created twice', async () => {
  stage.upstream.batches.script({ losesCreation: true });
  const batch = await run(chats(6));
  expect(stage.upstream.batches.all()).toHaveLength(1);
  expect(liveCalls()).toEqual([]);
  await expectPaid(batch, 6);
});

test('what the upstream did not answer in time, or refused, runs as calls', async () => {
  stage.upstream.batches.script({ expiresAfter: 5 });
  const lines = [...chats(8), scriptedLine('wrong', { status: 400 })];
  const batch = await run([lines[8]!, ...lines.slice(0, 8)]);
  expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 9, completed: 8, failed: 1 } });
  expect(liveCalls()).toHaveLength(5);
  await expectPaid(batch, 8);
});

test.each([
  ['cancelled', (id: string) => client.batches.cancel(id)],
  ['expired', (id: string) => stage.db.pool.query('update batches set expires_at = now() where id = $1', [id])],
])(
  'a batch that is %s is cancelled at its upstream, and keeps and bills what that has answered',
  async (status, end) => {
    stage.upstream.batches.script({ stopsAfter: 7 });
    const created = await stage.create(client, chats(20));
    await until(() => stage.upstream.calls().filter(({ endedAt }) => endedAt).length === 7);
    await end(created.id);
    const batch = await stage.ended(client, created.id);
    expect(batch).toMatchObject({ status, request_counts: { total: 20, completed: 7, failed: 13 } });
    expect(stage.upstream.batches.all()).toMatchObject([{ status: 'cancelled' }]);
    expect(liveCalls()).toEqual([]);
    await expectPaid(batch, 7);
  },
);

test('only what half of the balance covers is sent at once, and held meanwhile', async () => {
  account = await stage.account({ balanceNanos: 2_000_000n });
  client = stage.clientOf(account.secret);
  const batch = await run(chats(30));
  expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 30 } });
  expect(stage.upstream.batches.all().length).toBeGreaterThan(1);
  expect(await balanceOf(stage.db, account.workspaceId)).toBeGreaterThanOrEqual(0n);
  expect(await openHolds()).toBe(0);
  await expectSoundLedger(stage.db);
});

test('a batch at its upstream is billed once, although its worker is killed', async () => {
  stage.upstream.batches.script({ stopsAfter: 30 });
  const created = await stage.create(client, chats(30));
  await until(() => stage.upstream.calls().filter(({ endedAt }) => endedAt).length === 30);
  await stage.killWorker(worker);
  const [{ id }] = stage.upstream.batches.all() as [ScriptedBatch];
  await fetch(`${stage.upstream.url}/batches/${id}/cancel`, { method: 'POST', body: '{}' });
  worker = await stage.startWorker({}, catalogOf(reseller.secret));
  const batch = await stage.ended(client, created.id);
  expect(batch).toMatchObject({ status: 'completed', request_counts: { completed: 30 } });
  expect(liveCalls()).toEqual([]);
  await expectPaid(batch, 30);
});

test('a batch at its upstream costs what held when it was sent, although its model is dearer and not sold since', async () => {
  stage.upstream.batches.script({ stopsAfter: 5 });
  const created = await stage.create(client, chats(5));
  await until(() => stage.upstream.calls().filter(({ endedAt }) => endedAt).length === 5);
  await stage.db.pool.query(
    `insert into catalog_changes (kind, name, change, disabled, changed_by, changer) values ('model', $1, '{}', true, 'user_a', 'Ada')`,
    [textModel],
  );
  await makeDearer(textModel);
  const [{ id }] = stage.upstream.batches.all() as [ScriptedBatch];
  await fetch(`${stage.upstream.url}/batches/${id}/cancel`, { method: 'POST', body: '{}' });
  const batch = await stage.ended(client, created.id);
  expect(batch).toMatchObject({ status: 'completed', request_counts: { completed: 5 } });
  const [{ response }] = (await stage.read(client, batch.output_file_id)) as [ResultLine];
  const { prompt_tokens: prompt, completion_tokens: completion, cost } = response!.body.usage;
  expect(cost).toBeCloseTo((prompt! * 150 + completion! * 1_250) / 1e9, 12);
  expect(liveCalls()).toEqual([]);
  await expectPaid(batch, 5);
});

/** Gives a model a new price, which holds once this resolves. */
async function makeDearer(model: string): Promise<void> {
  const { db } = stage;
  const id = newId('price');
  const person = (name: string) => ({
    personId: `user_${name}`,
    name,
    isKnown: true,
    keyId: null,
    requestId: newId('req'),
  });
  const rates = { input_tokens: 9_000_000n, output_tokens: 9_000_000n };
  const place = { model, batchPercentage: null, filePriceId: null, holdsFrom: null, reason: null };
  await insertProposal(db.everywhere, { id, rates, ...place }, person('ada'));
  await decideProposal(db.everywhere, id, { status: 'approved', by: person('ben') });
  const holds = async () =>
    (await db.pool.query(`select from catalog_prices where id = $1 and valid_from < now()`, [id])).rowCount === 1;
  await until(holds);
}
