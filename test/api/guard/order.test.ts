import { afterAll, expect, test } from '@jest/globals';
import { chatBody, chatPath, codeOf, setGuardStage, told } from '../../support/guardStage.ts';

const invalid = '{"model": 7}';
const stage = await setGuardStage();
afterAll(() => stage.close());

/** A key with all the given faults. */
async function keyWith(faults: { scope?: true; rate?: true; concurrency?: true; balance?: true; ceiling?: true }) {
  const { secret } = await stage.account({
    scopes: faults.scope ? ['voice'] : ['llm'],
    rpmLimit: faults.rate ? 1 : 1_000,
    concurrencyLimit: faults.concurrency ? 1 : 1_000,
    balanceNanos: faults.balance ? 0n : 1_000_000_000n,
    spendLimitNanos: faults.ceiling ? 0n : null,
    spendLimitPeriod: faults.ceiling ? 'daily' : null,
  });
  const headers = { 'x-api-key': secret };
  if (faults.rate && !faults.concurrency) await stage.ask('/v1/models', { headers });
  return headers;
}

// Each row has all faults of the rows below it, and an additional one, which determines the answer.
test.each([
  ['the key', 401, 'invalid_api_key', null, invalid],
  ['the scope', 403, 'scope_not_allowed', { scope: true, rate: true, balance: true, ceiling: true }, invalid],
  ['the body', 400, 'invalid_type', { rate: true, balance: true, ceiling: true }, invalid],
  ['the rate', 429, 'rate_limit_exceeded', { rate: true, balance: true, ceiling: true }, chatBody()],
  ['the balance', 402, 'insufficient_balance', { balance: true, ceiling: true }, chatBody()],
  ['the ceiling', 402, 'key_spend_limit_reached', { ceiling: true }, chatBody()],
] as const)('%s is checked next: %d %s', async (_, status, code, faults, body) => {
  const headers = faults ? await keyWith(faults) : { 'x-api-key': 'sk_live_unknown' };
  const response = await stage.ask(chatPath, { headers, body });
  expect({ status: response.status, code: await codeOf(response) }).toEqual({ status, code });
});

test('checks the rate before concurrency, and concurrency before the balance', async () => {
  const { secret, workspaceId } = await stage.account({ rpmLimit: 2, concurrencyLimit: 1, creditUsd: '1' });
  const headers = { 'x-api-key': secret };
  const open = new AbortController();
  const running = await stage.ask(chatPath, {
    headers,
    body: chatBody({ stream: true, messages: told({ fault: 'endless', delayMs: 20 }) }),
    signal: open.signal,
  });
  expect(running.status).toBe(200);
  await stage.db.pool.query(
    'update api_keys set spend_limit_nanos = 0, spend_limit_period = $2 where workspace_id = $1',
    [workspaceId, 'daily'],
  );
  const inFlight = await stage.ask(chatPath, { headers, body: chatBody() });
  expect({ status: inFlight.status, code: await codeOf(inFlight) }).toEqual({
    status: 429,
    code: 'concurrency_limit_exceeded',
  });
  open.abort();
});

test('an invalid request does not count against the rate, and its error has rate-limit headers', async () => {
  const headers = await keyWith({});
  for (let count = 0; count < 5; count += 1) {
    const refused = await stage.ask(chatPath, { headers, body: invalid });
    expect(refused.headers.get('x-ratelimit-remaining-requests')).toBe('1000');
    await refused.text();
  }
});

test('a valid request for an unknown model counts against the rate, an invalid one does not', async () => {
  const { secret } = await stage.account({ rpmLimit: 1 });
  const headers = { 'x-api-key': secret };
  const standing = async (body: string) => {
    const response = await stage.ask(chatPath, { headers, body });
    return { code: await codeOf(response), left: response.headers.get('x-ratelimit-remaining-requests') };
  };
  expect(await standing(invalid)).toEqual({ code: 'invalid_type', left: '1' });
  expect(await standing(chatBody({ model: 'no-such-model' }))).toEqual({ code: 'model_not_found', left: '0' });
});
