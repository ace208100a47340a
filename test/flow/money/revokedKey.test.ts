import { afterAll, expect, test } from '@jest/globals';
import { revokeKey } from '../../../db/keys/keyStore.ts';
import { countPromptTokens } from '../../../providers/metering/tokens.ts';
import { readFrames } from '../../support/streams.ts';
import { embeddingModel } from '../../support/startApi.ts';
import { until } from '../../support/until.ts';
import { chatBody, priceNanos, setMoneyStage, type Account } from '../stages/moneyStage.ts';

const creditNanos = 1_000_000_000n;
const endedKey = {
  message: 'Incorrect API key provided: it was revoked, or has expired.',
  type: 'invalid_request_error',
  param: null,
  code: 'invalid_api_key',
};

const stage = await setMoneyStage();
afterAll(() => stage.close());

function call({ secret }: Account, body: string, path = 'chat/completions'): Promise<Response> {
  return fetch(`${stage.urls()[0]}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body,
  });
}

const callOf = ({ keyId }: Account) => stage.upstream.calls().find(({ body }) => body.user === keyId);

/** Checks that a call was aborted at the upstream, and is recorded once with this bill. */
async function expectEnded(account: Account, bill: { cancelled: boolean; costNanos: bigint }): Promise<void> {
  await until(() => callOf(account)?.aborted === true);
  const sql = 'select status, cancelled, cost_nanos from requests where key_id = $1';
  const findRequests = async () => {
    await stage.db.ledger.posted();
    return (await stage.db.pool.query(sql, [account.keyId])).rows;
  };
  await until(async () => (await findRequests()).length > 0);
  expect(await findRequests()).toEqual([
    { status: 401, cancelled: bill.cancelled, cost_nanos: String(bill.costNanos) },
  ]);
  expect(await stage.balance(account)).toBe(creditNanos - bill.costNanos);
  await stage.quiet(account.accountId);
}

test('a revoked key ends its streams with an error; they are billed for their output, others continue', async () => {
  const [account, other] = [
    await stage.account({ balanceNanos: creditNanos }),
    await stage.account({ balanceNanos: creditNanos }),
  ];
  const bodyOf = ({ keyId }: Account) =>
    chatBody({ text: 'One two three four five.', fault: 'stall', faultAfterChunks: 4 }, { stream: true, user: keyId });
  const streams = await Promise.all([account, other].map((owner) => call(owner, bodyOf(owner))));
  await until(() => callOf(account)?.outputTokens === 3 && callOf(other)?.outputTokens === 3);
  await revokeKey(stage.db, account.keyId);

  const frames = readFrames(await streams[0]!.text());
  expect(frames.slice(-2).map(({ data }) => data)).toEqual([JSON.stringify({ error: endedKey }), '[DONE]']);
  expect(frames.filter(({ data }) => data.includes('"content":"')).length).toBeGreaterThanOrEqual(3);
  const inputTokens = await countPromptTokens(JSON.parse(bodyOf(account)) as Record<string, unknown>);
  const costNanos = priceNanos({ inputTokens, outputTokens: callOf(account)!.outputTokens });
  await expectEnded(account, { cancelled: true, costNanos });
  expect(callOf(other)!.endedAt).toBeUndefined();
  await streams[1]!.body!.cancel();
});

// Each stalls from the start.
test.each([
  ['a stream before its first byte', 'chat/completions', { fault: 'stall', faultAfterChunks: 0 }, { stream: true }],
  ['a whole answer', 'chat/completions', { fault: 'stall' }, {}],
  ['a whole response', 'responses', { fault: 'stall' }, {}],
  ['an embedding', 'embeddings', { fault: 'stall' }, { model: embeddingModel }],
] as const)('a revoked key ends %s with a 401, which bills nothing', async (_, path, script, more) => {
  const account = await stage.account({ balanceNanos: creditNanos });
  const chat = JSON.parse(chatBody(script, { ...more, user: account.keyId })) as Record<string, unknown>;
  const { messages, ...rest } = chat as { messages: { content: string }[] };
  const body = path === 'chat/completions' ? chat : { ...rest, input: messages[0]!.content };
  const answer = call(account, JSON.stringify(body), path);
  await until(() => callOf(account) !== undefined);
  await revokeKey(stage.db, account.keyId);
  expect((await answer).status).toBe(401);
  expect(await (await answer).json()).toEqual({ error: endedKey });
  await expectEnded(account, { cancelled: false, costNanos: 0n });
});
