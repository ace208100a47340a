import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { CallAbort } from '../../../providers/callAbort.ts';
import type { Held, Json } from '../../../providers/provider.ts';
import { createRouting } from '../../../providers/routing/routing.ts';
import { createTextProviders, type TextProviders } from '../../../providers/textProviders.ts';
import type { Routing, ServedPlace, UpstreamAddress } from '../../../providers/upstreamOptions.ts';
import { startScripted } from '../../../rules/scripted/startScripted.ts';
import { productGlobal } from '../../support/productRealm.ts';
import { until } from '../../support/until.ts';

const NAMES = ['a', 'b', 'c'];
const held = {} as Held;
const body: Json = { messages: [{ role: 'user', content: 'hi' }], stream_options: { include_usage: true } };
let opened: TextProviders[] = [];
let nowMs = 0;

const upstreams = await Promise.all(NAMES.map(() => startScripted()));
beforeEach(async () => {
  await Promise.all(opened.map((one) => one.close()));
  opened = [];
  for (const one of upstreams) one.reset();
});
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  await Promise.all(upstreams.map((one) => one.stop()));
});

/** A model at the three upstreams, or at some of them, with a routing of its own. */
function modelWith(
  routing?: Routing,
  {
    places = {},
    addresses = {},
    names = NAMES,
  }: {
    places?: Record<string, Partial<ServedPlace>>;
    addresses?: Record<string, Partial<UpstreamAddress>>;
    names?: string[];
  } = {},
) {
  const catalog = {
    upstreams: new Map(NAMES.map((name, at) => [name, { baseUrl: upstreams[at]!.url, ...addresses[name] }])),
  };
  const chooser = createRouting({ nowMs: () => nowMs, random: () => 0.5 });
  const providers = createTextProviders(
    catalog,
    { idleTimeoutMs: 60_000, answerTimeoutMs: 60_000, connectionsMax: 64 },
    { routing: chooser },
  );
  opened.push(providers);
  const model = {
    id: 'ours',
    upstreams: names.map((name) => ({ upstream: name, model: `${name}-model`, ...places[name] })),
    routing,
  };
  return { of: (given: Held = held) => providers.of(given, model), states: chooser.states };
}

type Model = ReturnType<typeof modelWith>;

async function answer(model: Model, { given = held, more = {} }: { given?: Held; more?: Json } = {}) {
  const call = new CallAbort();
  const reply = await model
    .of(given)
    .answer('chat/completions', { ...body, ...more }, call)
    .catch((error: unknown) => error);
  return { call, reply: reply as Json };
}

async function stream(model: Model, call = new CallAbort()) {
  const chunks: Json[] = [];
  for await (const some of await model.of().stream('chat/completions', { ...body, stream: true }, call))
    chunks.push(...some);
  return { call, chunks };
}

const countsOf = () => upstreams.map((one) => one.calls().length);
/** So many calls that every upstream knows its usual time. */
async function warm(model: Model): Promise<void> {
  for (let count = 0; count < 20; count += 1) await stream(model);
  // The figures of a moment ago are kept for a while.
  nowMs += 1_000;
}

describe('a late upstream', () => {
  // On a busy machine any upstream may be late, so here none is until a test says so.
  const lateTimers: { fire: () => void; ms: number }[] = [];
  beforeEach(() => {
    const { setTimeout } = productGlobal;
    jest.spyOn(productGlobal, 'setTimeout').mockImplementation((callback: () => void, ms = 0, ...args: []) => {
      if (!String(callback).includes('#late(')) return setTimeout(callback, ms, ...args);
      lateTimers.push({ fire: callback, ms });
      return setTimeout(() => undefined, 0);
    });
  });
  afterEach(() => void jest.restoreAllMocks());

  /** A stream whose first upstream is late. */
  async function streamLate(model: Model, call?: CallAbort) {
    lateTimers.length = 0;
    const pending = stream(model, call);
    await until(() => lateTimers.length > 0);
    expect(lateTimers[0]!.ms).toBeGreaterThanOrEqual(100);
    lateTimers[0]!.fire();
    return { pending };
  }

  test('is left for the next one, which answers the call; its own call is aborted', async () => {
    const model = modelWith();
    await warm(model);
    upstreams[0]!.script({ headDelayMs: 600_000 });
    const { call, chunks } = await (await streamLate(model)).pending;
    expect(chunks[0]).toMatchObject({ model: 'b-model' });
    expect(call.upstream).toBe('b');
    expect(call.attempts).toBe(2);
    expect(call.routing).toMatchObject({ by: 'order', healthy: 3, of: 3 });
    expect(call.routing!.attempts.map(({ upstream, outcome }) => [upstream, outcome])).toEqual([
      ['a', 'late'],
      ['b', 'answered'],
    ]);
    await until(() => upstreams[0]!.calls().at(-1)!.aborted);
    expect(countsOf()).toEqual([21, 1, 0]);
  });

  test('is not waited for when the one beside it fails: the next one is tried', async () => {
    const model = modelWith();
    await warm(model);
    upstreams[0]!.script({ headDelayMs: 600_000 });
    upstreams[1]!.script({ status: 500 });
    const { call, chunks } = await (await streamLate(model)).pending;
    expect(chunks[0]).toMatchObject({ model: 'c-model' });
    expect(call.routing!.attempts.map(({ upstream, outcome }) => [upstream, outcome])).toEqual([
      ['a', 'late'],
      ['b', 'failed'],
      ['c', 'answered'],
    ]);
    await until(() => upstreams[0]!.calls().at(-1)!.aborted);
    expect(countsOf()).toEqual([21, 1, 1]);
  });

  test('is passed over after three such calls, and tried again after the cool-down', async () => {
    const model = modelWith();
    await warm(model);
    upstreams[0]!.script({ headDelayMs: 600_000 });
    for (let count = 0; count < 3; count += 1) await (await streamLate(model)).pending;
    expect(model.states()[0]).toMatchObject({ upstream: 'a', state: 'open', reason: 'late' });
    const { call } = await stream(model);
    expect(call.routing).toMatchObject({
      healthy: 2,
      attempts: [
        { upstream: 'a', outcome: 'skipped' },
        { upstream: 'b', outcome: 'answered' },
      ],
    });
    expect(countsOf()[0]).toBe(23);
    upstreams[0]!.script({});
    nowMs += 30_000;
    expect((await stream(model)).call.routing).toMatchObject({ by: 'probe' });
    expect((await stream(model)).call).toMatchObject({ upstream: 'a' });
  });

  test('is waited for where the model says so', async () => {
    const model = modelWith({ lateFactor: 0 });
    await warm(model);
    upstreams[0]!.script({ headDelayMs: 400 });
    expect((await stream(model)).call).toMatchObject({ upstream: 'a', attempts: 1 });
    expect(countsOf()).toEqual([21, 0, 0]);
  });

  test('ends with its caller, beside the other one', async () => {
    const model = modelWith();
    await warm(model);
    for (const one of upstreams) one.script({ headDelayMs: 600_000 });
    const call = new CallAbort();
    const { pending } = await streamLate(model, call);
    await until(() => upstreams[1]!.calls().length === 1);
    call.abort(new Error('left'));
    await expect(pending).rejects.toThrow('left');
    await until(() => upstreams.slice(0, 2).every((one) => one.calls().at(-1)!.aborted));
  });

  test('a caller who leaves during the stream of another one ends that', async () => {
    const model = modelWith();
    upstreams[0]!.script({ status: 500 });
    upstreams[1]!.script({ fault: 'endless', delayMs: 5 });
    const call = new CallAbort();
    const chunks = await model.of().stream('chat/completions', { ...body, stream: true }, call);
    const reading = chunks.each(() => (call.abort('left'), undefined));
    await expect(reading).rejects.toBe('left');
    await until(() => upstreams[1]!.calls()[0]!.aborted);
  });
});

describe('data policy', () => {
  const kept = { addresses: { b: { retention: 'none' as const } } };
  const none = { noRetention: true } as Held;

  test('a call that demands no retention reaches only upstreams without', async () => {
    const { call, reply } = await answer(modelWith({}, kept), { given: none });
    expect(reply).toMatchObject({ model: 'b-model' });
    expect(call.routing).toMatchObject({ of: 1 });
    expect(countsOf()).toEqual([0, 1, 0]);
  });

  test('nor does it fall back to others', async () => {
    upstreams[1]!.script({ status: 500 });
    const { reply } = await answer(modelWith({}, kept), { given: none });
    expect(reply).toMatchObject({ fault: 'failed' });
    expect(countsOf()).toEqual([0, 1, 0]);
  });

  test('it is refused by name where there is none', async () => {
    const { reply } = await answer(modelWith(), { given: none });
    expect(reply).toMatchObject({ fault: 'refused', detail: { code: 'no_retention_unmet' } });
    expect(countsOf()).toEqual([0, 0, 0]);
  });
});

describe('a rule', () => {
  test('leaves out upstreams of other regions', async () => {
    await answer(modelWith({ regions: ['eu'] }, { addresses: { c: { region: 'eu' } } }));
    expect(countsOf()).toEqual([0, 0, 1]);
  });

  test('leaves out upstreams that do not support a parameter of the request', async () => {
    const model = modelWith({}, { places: { a: { without: ['logprobs'] } } });
    await answer(model, { more: { logprobs: true } });
    await answer(model);
    expect(countsOf()).toEqual([1, 1, 0]);
  });

  test.each([
    ['of several', NAMES],
    ['alone', ['a']],
  ])('refuses a parameter by name that no upstream supports, %s', async (_, names) => {
    const places = Object.fromEntries(NAMES.map((name) => [name, { without: ['logprobs'] }]));
    const model = modelWith(undefined, { places, names });
    const { reply } = await answer(model, { more: { logprobs: true } });
    const message = "No upstream of this model supports 'logprobs'.";
    expect(reply).toMatchObject({
      fault: 'refused',
      detail: { code: 'no_upstream_allowed', param: 'logprobs', message },
    });
    expect(countsOf()).toEqual([0, 0, 0]);
  });

  test('limits how many are tried', async () => {
    for (const one of upstreams) one.script({ status: 500 });
    const { call } = await answer(modelWith({ attempts: 2 }));
    expect(call.attempts).toBe(2);
    expect(countsOf()).toEqual([1, 1, 0]);
  });

  test('ends with the time of a call', async () => {
    const model = modelWith({ budgetMs: 100 });
    upstreams[0]!.script(() => ((nowMs += 100), { status: 500 }));
    expect((await answer(model)).reply).toMatchObject({ fault: 'failed' });
    expect(countsOf()).toEqual([1, 0, 0]);
  });

  test('a dead vendor does not multiply the load: further attempts end with their allowance', async () => {
    const model = modelWith();
    for (const one of upstreams) one.script({ status: 500 });
    for (let count = 0; count < 200; count += 1) await answer(model);
    const [first = 0, ...others] = countsOf();
    expect(first + others.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(200 + 100 + 40);
  });
});

describe('a lying upstream', () => {
  const lies = { places: { a: { answersAs: ['a-model'] } } };

  test('is left when another model answers, before anything is passed on', async () => {
    upstreams[0]!.script({
      raw: { model: 'cheap-model', choices: [{ index: 0, message: { content: 'hi' }, delta: { content: 'hi' } }] },
    });
    expect((await answer(modelWith({}, lies))).call).toMatchObject({ upstream: 'b', attempts: 2 });
    expect((await stream(modelWith({}, lies))).call).toMatchObject({ upstream: 'b', attempts: 2 });
  });

  test('is believed when its model has the expected beginning', async () => {
    expect((await stream(modelWith({}, lies))).call).toMatchObject({ upstream: 'a', attempts: 1 });
  });

  test('is passed over once half of its answers were broken', async () => {
    const model = modelWith();
    for (let count = 0; count < 5; count += 1) {
      await stream(model);
      (await stream(model)).call.doubted();
    }
    expect(model.states()[0]).toMatchObject({ upstream: 'a', state: 'open', reason: 'failing' });
    expect((await stream(model)).call).toMatchObject({ upstream: 'b' });
  });
});
