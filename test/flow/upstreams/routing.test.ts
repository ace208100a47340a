import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { startScripted } from '../../../rules/scripted/startScripted.ts';
import type { Script } from '../../../rules/scripted/script.ts';
import { readRequest } from './routedCalls.ts';
import { ask, chatBody, setMoneyStage } from '../stages/moneyStage.ts';

const MODEL = 'routed';

const others = await Promise.all([startScripted(), startScripted()]);
const stage = await setMoneyStage({
  catalog: {
    main: { region: 'eu' },
    upstreams: { second: { baseUrl: others[0].url, retention: 'none' }, third: { baseUrl: others[1].url } },
    models: [
      {
        id: MODEL,
        kind: 'text',
        aliases: [],
        outputTokensMax: 4096,
        usdPerMillion: { input_tokens: 0.3, output_tokens: 2.5 },
        routing: { by: 'price' },
        upstreams: [
          { upstream: 'second', model: 'm', costUsdPerMillion: { input_tokens: 0.2, output_tokens: 1 } },
          { upstream: 'main', model: 'm', costUsdPerMillion: { input_tokens: 0.1, output_tokens: 1 } },
          { upstream: 'third', model: 'm' },
        ],
      },
    ],
  },
});
beforeEach(() => {
  for (const one of [stage.upstream, ...others]) one.reset();
});
afterAll(async () => {
  await stage.close();
  await Promise.all(others.map((one) => one.stop()));
});

async function askRouted({ isStream = false, ...more }: { isStream?: boolean; noRetention?: boolean } = {}) {
  const account = await stage.account({ balanceNanos: 1_000_000_000n });
  if (more.noRetention)
    await stage.db.pool.query('update api_keys set no_retention = true where id = $1', [account.keyId]);
  const answer = await ask(stage.urls()[0]!, account.secret, chatBody({}, { model: MODEL, stream: isStream }));
  const told = await readRequest(stage.urls()[0]!, account.secret, answer.requestId);
  await stage.quiet(account.accountId);
  return { answer, told };
}

const countsOf = () => [stage.upstream, ...others].map((one) => one.calls().length);

test('a call goes to the upstream that charges least, and its request says so', async () => {
  const { told } = await askRouted();
  expect(told).toMatchObject({
    upstream: 'main',
    attempts: 1,
    routing: {
      by: 'price',
      healthy: 3,
      of: 3,
      attempts: [],
      reason: 'main answered: the lowest cost of 3 healthy upstreams (of 3).',
    },
  });
  expect(countsOf()).toEqual([1, 0, 0]);
});

test.each<[string, Script, boolean]>([
  ['fails', { status: 500 }, false],
  ['sends something else than JSON', { fault: 'malformed', faultAfterChunks: 0 }, false],
  ['ends an empty stream', { fault: 'endEarly', faultAfterChunks: 0 }, true],
  ['reports an error in its stream', { fault: 'errorFrame', faultAfterChunks: 0 }, true],
])('an upstream that %s is replaced, and the call is billed once', async (_, script, isStream) => {
  stage.upstream.script(script);
  const { answer, told } = await askRouted({ isStream });
  expect(answer.status).toBe(200);
  expect(told).toMatchObject({ upstream: 'second', attempts: 2, status: 200 });
  expect(told.routing!.attempts).toMatchObject([
    { upstream: 'main', outcome: 'failed' },
    { upstream: 'second', outcome: 'answered' },
  ]);
  expect(told.ledger_entry_ids).toHaveLength(1);
});

test('a key that demands no retention reaches only an upstream without, also when that fails', async () => {
  expect((await askRouted({ noRetention: true })).told).toMatchObject({ upstream: 'second', routing: { of: 1 } });
  others[0].script({ status: 500 });
  const { answer } = await askRouted({ noRetention: true });
  expect([answer.status, answer.code]).toEqual([502, 'provider_failed']);
  expect(countsOf()).toEqual([0, 2, 0]);
});

test('it is refused where no upstream keeps nothing', async () => {
  const account = await stage.account({ balanceNanos: 1_000_000_000n });
  await stage.db.pool.query('update api_keys set no_retention = true where id = $1', [account.keyId]);
  const answer = await ask(stage.urls()[0]!, account.secret, chatBody({}));
  expect([answer.status, answer.code]).toEqual([400, 'no_retention_unmet']);
  expect(countsOf()).toEqual([0, 0, 0]);
  await stage.quiet(account.accountId);
});
