import { afterAll, expect, test } from '@jest/globals';
import { startScripted } from '../../../rules/scripted/startScripted.ts';
import type { Script } from '../../../rules/scripted/script.ts';
import { seededRandom } from '../../support/random.ts';
import { ask, chatBody, setMoneyStage, type Account } from '../stages/moneyStage.ts';

const CALLS = 1_000;
const WARM_CALLS = 100;
const AT_ONCE = 8;
const FIRST_BYTE_MS = 150;
const names = ['main', 'second', 'third'] as const;
const random = seededRandom(3);

/** A healthy upstream: its first byte takes 150 to 180 ms. */
const healthy = (): Script => ({ headDelayMs: FIRST_BYTE_MS + Math.floor(random() * 30), chunks: 2 });

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

const others = await Promise.all([startScripted(), startScripted()]);
const stage = await setMoneyStage({
  env: { DEFAULT_RPM_LIMIT: '1000000', DEFAULT_CONCURRENCY_LIMIT: '100' },
  catalog: {
    upstreams: { second: { baseUrl: others[0].url }, third: { baseUrl: others[1].url } },
    models: [best, ...['order', 'latency', 'weighted'].map(modelOf)],
  },
});
const upstreams = [stage.upstream, ...others];
afterAll(async () => {
  await stage.close();
  await Promise.all(upstreams.slice(1).map((one) => one.stop()));
});

/**
 * Asks each model so many times, in turns and some at once, so that all have the same machine; every second call is a stream. Returns the
 * callers' times to the end, and how many failed.
 */
async function askMany({ url, account }: { url: string; account: Account }, models: string[], calls: number) {
  const figures = models.map((model) => ({ model, times: [] as number[], failed: 0 }));
  let next = 0;
  const one = async () => {
    for (let call = next++; call < calls; call = next++) {
      for (const of of figures) {
        const body = chatBody({}, { model: of.model, stream: call % 2 === 0 });
        const begunMs = performance.now();
        const { status, text } = await ask(url, account.secret, body);
        of.times.push(performance.now() - begunMs);
        if (status !== 200 || text.includes('"error"')) of.failed += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return figures.map(({ times, failed }) => {
    times.sort((a, b) => a - b);
    return { p95Ms: times[Math.floor(times.length * 0.95)]!, worstMs: times.at(-1)!, failed };
  });
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

const SLOW = broken[0]!;
const cases = [
  ...broken.map(([what, script]) => ['order', what, script] as const),
  ['latency', ...SLOW] as const,
  ['weighted', ...SLOW] as const,
];

test.each(cases)('by %s, with the first of three upstreams %s, callers hardly notice', async (by, what, script) => {
  const account = await stage.account({ balanceNanos: 100_000_000_000n });
  const models = ['best', `by-${by}`];
  // Its circuits are closed, and it knows nothing yet.
  const { url } = await stage.startAnother();
  for (const one of upstreams) one.script(healthy);
  await askMany({ url, account }, models, WARM_CALLS);
  upstreams[0]!.reset();
  upstreams[0]!.script(script);
  const [alone, routed] = await askMany({ url, account }, models, CALLS);
  const reached = upstreams[0]!.calls().length;
  const ratio = (routed!.p95Ms / alone!.p95Ms).toFixed(2);
  process.stderr.write(
    `${by}, ${what}: p95 ${routed!.p95Ms.toFixed(0)} ms, best alone ${alone!.p95Ms.toFixed(0)} ms (${ratio} x), ` +
      `worst ${routed!.worstMs.toFixed(0)} and ${alone!.worstMs.toFixed(0)} ms, ${reached} calls reached it\n`,
  );
  expect([alone!.failed, routed!.failed]).toEqual([0, 0]);
  // It is left after a few calls, and tried once for each cool-down.
  expect(reached).toBeLessThan(CALLS / 20);
  await stage.quiet(account.accountId);
  const { rows } = await stage.db.pool.query(BILLS, [account.keyId]);
  expect(rows).toEqual(models.map((model) => ({ model, calls: CALLS + WARM_CALLS, bills: 1 })));
});

// Each call once, and all at the same price, as they are the same.
const BILLS = `
select model, count(*)::int as calls, count(distinct cost_nanos)::int as bills from requests where key_id = $1 group by model order by model`;
