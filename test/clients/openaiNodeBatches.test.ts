import { afterAll, expect, test } from '@jest/globals';
import { balanceOf } from '../support/account.ts';
import { chatLine, setBatchStage, type BatchStage } from '../support/batchStage.ts';
import { expectSoundLedger } from '../support/ledger.ts';
import { embeddingModel, textModel } from '../support/startApi.ts';

const stage = await setBatchStage();
const account = await stage.account({ creditUsd: '10', scopes: ['batch'] });
const client = stage.clientOf(account.secret);
await stage.startWorker();
afterAll(() => stage.close());

test('a batch of chats goes from the file to its answers, which are billed at half the price', async () => {
  const lines = Array.from({ length: 20 }, (_, nth) => chatLine(`line-${nth}`, `Say ${nth}.`));
  const created = await stage.create(client, lines, { metadata: { job: 'nightly' } });
  expect(created).toMatchObject({
    id: expect.stringMatching(/^batch_[0-9A-Za-z]+$/),
    object: 'batch',
    endpoint: '/v1/chat/completions',
    status: 'validating',
    completion_window: '24h',
    expires_at: created.created_at + 86_400,
    metadata: { job: 'nightly' },
    output_file_id: null,
  });

  const batch = await stage.ended(client, created.id);
  expect(batch).toMatchObject({
    status: 'completed',
    request_counts: { total: 20, completed: 20, failed: 0 },
    error_file_id: null,
  });
  const answers = await stage.read(client, batch.output_file_id);
  expect(answers.map(({ custom_id }) => custom_id)).toEqual(lines.map((_, nth) => `line-${nth}`));
  const [first] = answers;
  expect(first).toMatchObject({
    id: expect.stringMatching(/^batch_req_/),
    error: null,
    response: {
      status_code: 200,
      request_id: expect.stringMatching(/^req_/),
      body: { object: 'chat.completion', model: textModel, choices: [{ finish_reason: 'stop' }] },
    },
  });

  const usages = answers.map(({ response }) => response!.body.usage);
  const sum = (name: string) => usages.reduce((total, usage) => total + usage[name]!, 0);
  expect(batch.usage).toMatchObject({
    input_tokens: sum('prompt_tokens'),
    output_tokens: sum('completion_tokens'),
    total_tokens: sum('total_tokens'),
  });
  // Half of 0.3 and 2.5 US dollars for a million tokens.
  const costNanos = usages.map(
    ({ prompt_tokens, completion_tokens }) => prompt_tokens! * 150 + completion_tokens! * 1_250,
  );
  const totalNanos = costNanos.reduce((total, nanos) => total + nanos, 0);
  expect(await balanceOf(stage.db, account.workspaceId)).toBe(10_000_000_000n - BigInt(totalNanos));
  await expectSoundLedger(stage.db);
});

test.each<[Parameters<BatchStage['create']>[2], object, object]>([
  [{ endpoint: '/v1/completions' }, { model: textModel, prompt: 'Once' }, { object: 'text_completion' }],
  [{ endpoint: '/v1/responses' }, { model: textModel, input: 'Hello.' }, { object: 'response', status: 'completed' }],
  [{ endpoint: '/v1/embeddings' }, { model: embeddingModel, input: 'Hello.' }, { object: 'list' }],
  [
    { endpoint: '/textapi/v1/completions' as '/v1/completions' },
    { model: textModel, prompt: 'x' },
    { object: 'text_completion' },
  ],
])('the endpoint of %j answers in its own form', async (order, body, answer) => {
  const line = { custom_id: 'only', method: 'POST', url: order!.endpoint, body };
  const batch = await stage.ended(client, (await stage.create(client, [line], order)).id);
  expect(batch).toMatchObject({ status: 'completed', endpoint: order!.endpoint });
  const [only] = await stage.read(client, batch.output_file_id);
  expect(only).toMatchObject({ custom_id: 'only', response: { status_code: 200, body: answer } });
});
