import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startScripted, type Scripted } from '../../rules/scripted/startScripted.ts';
import type { Script } from '../../rules/scripted/script.ts';
import { seededRandom } from '../support/random.ts';
import { ask, chatBody, setMoneyStage, type Account, type MoneyStage } from './moneyStage.ts';

const CALLS = 1_000;
const AT_ONCE = 8;
const FIRST_BYTE_MS = 60;
const names = ['main', 'second', 'third'] as const;
const random = seededRandom(3);
let upstreams: Scripted[];
let stage: MoneyStage;

/** A healthy upstream: its first byte takes 60 to 75 ms. */
const healthy = (): Script => ({ headDelayMs: FIRST_BYTE_MS + Math.floor(random() * 15), chunks: 2 });

const modelOf = (by: string) => ({
  id: `by-${by}`,
  kind: 'text',
  aliases: [],
  outputTokensMax: 4096,
  usdPerMillion: { input_tokens: 0.3, output_tokens: 2.5 },
  routing: { by },
  upstreams: names.map((upstream) => ({ upstream, model: `by-${by}`, answersAs: [`by-${by}`] })),
});

const best = { ...modelOf('order'), id: 'best', routing: undefined, upstreams: [{ upstream: 'third', model: 'best' }] };

beforeAll(async () => {
  const others = await Promise.all([startScripted(), startScripted()]);
  stage = await setMoneyStage({
    env: { DEFAULT_RPM_LIMIT: '1000000', DEFAULT_CONCURRENCY_LIMIT: '100' },
    catalog: {
      upstreams: { second: { baseUrl: others[0].url }, third: { baseUrl: others[1].url } },
      models: [best, ...['order', 'latency', 'weighted'].map(modelOf)],
    },
  });
  upstreams = [stage.upstream, ...others];
});
afterAll(async () => {
  await stage.close();
  await Promise.all(upstreams.slice(1).map((one) => one.stop()));
});

/** Asks so many times, some at once; every second call is a stream. Returns the callers' times to the end, and how many failed. */
async function askMany(account: Account, model: string, calls: number) {
  const times: number[] = [];
  let failed = 0;
  let next = 0;
  const one = async () => {
    while (next < calls) {
      const body = chatBody({}, { model, stream: next++ % 2 === 0 });
      const begunMs = performance.now();
      const { status, text } = await ask(stage.urls()[0]!, account.secret, body);
      times.push(performance.now() - begunMs);
      if (status !== 200 || text.includes('"error"')) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  times.sort((a, b) => a - b);
  return { p95Ms: times[Math.floor(times.length * 0.95)]!, worstMs: times.at(-1)!, failed };
}

const broken: [string, () => Script][] = [
  ['slow', () => ({ headDelayMs: 10 * FIRST_BYTE_MS })],
  ['failing', () => ({ status: 500 })],
  ['dead silent', () => ({ fault: 'stall', faultAfterChunks: 0 })],
  [
    'lying: another model answers',
    () => ({
      ...healthy(),
      raw: { model: 'cheap', choices: [{ index: 0, message: { content: 'no' }, delta: { content: 'no' } }] },
    }),
  ],
  ['lying: empty streams', () => ({ ...healthy(), fault: 'endEarly', faultAfterChunks: 0 })],
];

describe.each(['order', 'latency', 'weighted'])('by %s, with the first of three upstreams', (by) => {
  test.each(broken)('%s, callers hardly notice', async (what, script) => {
    const account = await stage.account({ balanceNanos: 100_000_000_000n });
    for (const one of upstreams) one.script(healthy);
    await askMany(account, `by-${by}`, 120);
    const alone = await askMany(account, 'best', CALLS);
    upstreams[0]!.reset();
    upstreams[0]!.script(script);
    const { p95Ms, worstMs, failed } = await askMany(account, `by-${by}`, CALLS);
    const extra = upstreams[0]!.calls().length;
    process.stderr.write(
      `${by}, ${what}: p95 ${p95Ms.toFixed(0)} ms, best alone ${alone.p95Ms.toFixed(0)} ms (${(p95Ms / alone.p95Ms).toFixed(2)} x), ` +
        `worst ${worstMs.toFixed(0)} ms, ${failed} failed, ${extra} calls reached it\n`,
    );
    expect(failed).toBe(0);
    // It is left after a few calls, and tried once for each cool-down.
    expect(extra).toBeLessThan(CALLS / 20);
    await stage.quiet(account.accountId);
    const { rows } = await stage.db.pool.query(
      'select count(*)::int as calls, count(distinct id)::int as ids, min(cost_nanos)::int as least, max(cost_nanos)::int as most from requests where key_id = $1',
      [account.keyId],
    );
    expect(rows[0]).toMatchObject({ calls: 120 + 2 * CALLS, ids: 120 + 2 * CALLS });
    expect(rows[0]!.least).toBe(rows[0]!.most);
  });
});
