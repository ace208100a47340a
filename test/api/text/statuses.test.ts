import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Script } from '../../../rules/scripted/script.ts';
import { balanceOf, type makeAccount } from '../../support/account.ts';
import { setGuardStage, told, type ErrorBody } from '../../support/guardStage.ts';
import { embeddingModel, textModel } from '../../support/startApi.ts';

const BALANCE_NANOS = 1_000_000_000n;
const IDLE_MS = '1500';

/** A route of the OpenAI family, and a body that scripts the upstream. */
interface TextRoute {
  path: string;
  bodyOf: (script: Script) => Record<string, unknown>;
}

const textOf = (script: Script): string => JSON.stringify({ scripted: script });
const chat: TextRoute = {
  path: '/v1/chat/completions',
  bodyOf: (script) => ({ model: textModel, messages: told(script) }),
};
const completions: TextRoute = {
  path: '/v1/completions',
  bodyOf: (script) => ({ model: textModel, prompt: textOf(script) }),
};
const responses: TextRoute = {
  path: '/v1/responses',
  bodyOf: (script) => ({ model: textModel, input: textOf(script) }),
};
const embeddings: TextRoute = {
  path: '/v1/embeddings',
  bodyOf: (script) => ({ model: embeddingModel, input: textOf(script) }),
};
const streamed = ({ path, bodyOf }: TextRoute): TextRoute => ({
  path,
  bodyOf: (script) => ({ ...bodyOf(script), stream: true }),
});

const routes: [string, TextRoute][] = [
  ['chat', chat],
  ['chat, streamed', streamed(chat)],
  ['completions', completions],
  ['completions, streamed', streamed(completions)],
  ['responses', responses],
  ['responses, streamed', streamed(responses)],
  ['embeddings', embeddings],
];

/** The fault of a call, and the result on every route. */
interface Case {
  status: number;
  code: string;
  account?: Parameters<typeof makeAccount>[1];
  headers?: Record<string, string>;
  /** Members of the body that replace the valid ones. */
  wrong?: Record<string, unknown>;
  script?: Script;
  /** How many calls precede it. */
  before?: number;
}

const refusedByUs: [string, Case][] = [
  ['a model that is a number', { status: 400, code: 'invalid_type', wrong: { model: 7 } }],
  ['no key', { status: 401, code: 'invalid_api_key', headers: { 'x-api-key': '' } }],
  ['no balance', { status: 402, code: 'insufficient_balance', account: { balanceNanos: 0n } }],
  ['a key without the scope', { status: 403, code: 'scope_not_allowed', account: { scopes: ['voice'] } }],
  ['an unknown model', { status: 404, code: 'model_not_found', wrong: { model: 'none' } }],
  ['a body that is text', { status: 415, code: 'unsupported_media_type', headers: { 'content-type': 'text/plain' } }],
  ['a key at its limit', { status: 429, code: 'rate_limit_exceeded', account: { rpmLimit: 1 }, before: 1 }],
];
const failedUpstream: [string, Case][] = [
  ['answers 400', { status: 400, code: 'invalid_value', script: { status: 400 } }],
  ['answers 500', { status: 502, code: 'provider_failed', script: { status: 500 } }],
  ['answers 429', { status: 503, code: 'overloaded', script: { status: 429 } }],
  ['stalls', { status: 504, code: 'provider_timeout', script: { fault: 'stall', faultAfterChunks: 0 } }],
];

const stage = await setGuardStage({ env: { UPSTREAM_IDLE_TIMEOUT_MS: IDLE_MS, UPSTREAM_ANSWER_TIMEOUT_MS: IDLE_MS } });
const document = await stage.ask('/openapi.json');
const { paths: documented } = (await document.json()) as {
  paths: Record<string, { post: { responses: Record<string, object> } }>;
};
beforeEach(() => stage.upstream.reset());
afterAll(() => stage.close());

async function call({ path, bodyOf }: TextRoute, { account, headers, wrong, script = {}, before = 0 }: Partial<Case>) {
  const { secret, workspaceId, keyId } = await stage.account({ balanceNanos: BALANCE_NANOS, ...account });
  const asked = { headers: { 'x-api-key': secret, ...headers }, body: JSON.stringify({ ...bodyOf(script), ...wrong }) };
  for (let count = 0; count < before; count += 1) await (await stage.ask(path, asked)).text();
  const askedBefore = stage.upstream.calls().length;
  const response = await stage.ask(path, asked);
  const text = await response.text();
  const callCount = stage.upstream.calls().length - askedBefore;
  return { response, text, callCount, workspaceId, keyId };
}

describe.each(routes)('%s', (_, route) => {
  test('answers 200 and bills the call once', async () => {
    const { response, text, callCount, workspaceId, keyId } = await call(route, { script: { text: 'Four.' } });
    expect([response.status, callCount]).toEqual([200, 1]);
    expect(text).not.toContain('"error":{');
    const sql = 'select cost_nanos from requests where key_id = $1';
    await stage.db.ledger.posted();
    const { rows } = await stage.db.pool.query(sql, [keyId]);
    expect(BigInt(rows[0].cost_nanos)).toBeGreaterThan(0n);
    expect(BALANCE_NANOS - (await balanceOf(stage.db, workspaceId))).toBe(BigInt(rows[0].cost_nanos));
  });

  test.each(refusedByUs)('refuses %s before its upstream is called', async (__, one) => {
    const { response, text, callCount } = await call(route, one);
    expect([response.status, (JSON.parse(text) as ErrorBody).error.code]).toEqual([one.status, one.code]);
    expect(callCount).toBe(0);
    expect(documented[route.path]!.post.responses).toHaveProperty(String(one.status));
  });

  test.each(failedUpstream)('bills nothing when its upstream %s', async (__, one) => {
    const { response, text, callCount, workspaceId } = await call(route, one);
    expect([response.status, (JSON.parse(text) as ErrorBody).error.code]).toEqual([one.status, one.code]);
    expect(callCount).toBeGreaterThan(0);
    expect(await balanceOf(stage.db, workspaceId)).toBe(BALANCE_NANOS);
    expect(documented[route.path]!.post.responses).toHaveProperty(String(one.status));
  });
});
