import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { Json, TextProvider } from '../../providers/provider.ts';
import type { Script } from '../../rules/scripted/script.ts';
import { startScripted } from '../../rules/scripted/startScripted.ts';
import type { Held } from '../../providers/provider.ts';
import { createRouting } from '../../providers/routing/routing.ts';
import { createTextProviders, type TextProviders } from '../../providers/textProviders.ts';
import type { UpstreamAddress } from '../../providers/upstreamOptions.ts';
import { until } from '../support/until.ts';
import { never } from './openaiStage.ts';

const body: Json = {
  model: 'ours',
  messages: [{ role: 'user', content: 'hi' }],
  stream_options: { include_usage: true },
};
let nowMs = 0;
let alarms: string[] = [];
const first = await startScripted();
const second = await startScripted();
const opened: TextProviders[] = [];

afterEach(() => {
  // Past the demotions of earlier tests.
  nowMs += 60_000;
  alarms = [];
  first.reset();
  second.reset();
});
afterAll(async () => {
  await Promise.all(opened.map((providers) => providers.close()));
  await first.stop();
  await second.stop();
});

const SHORT = { idle: 1_100, firstByte: 1_100, answer: 1_100 };
const held = {} as Held;

const providersAt = (addresses: UpstreamAddress[]) => {
  const providers = createTextProviders(
    { upstreams: new Map(addresses.map((address, at) => [`upstream-${at}`, address])) },
    { idleTimeoutMs: 200_000, answerTimeoutMs: 200_000, connectionsMax: 16 },
    { routing: createRouting({ onAlarm: (name) => alarms.push(name), nowMs: () => nowMs, random: () => 0 }) },
  );
  opened.push(providers);
  return providers;
};

const placesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ upstream: `upstream-${at}`, model: `model-${at}` }));

const upstreamsOf = (...addresses: UpstreamAddress[]) =>
  providersAt(addresses).of(held, { id: 'ours', upstreams: placesOf(addresses.length) });

const both = upstreamsOf({ baseUrl: first.url }, { baseUrl: second.url });
/** The same two, with a short timeout for the first one. */
const hurried = upstreamsOf({ baseUrl: first.url, timeoutsMs: SHORT }, { baseUrl: second.url });

async function readAll(items: AsyncIterable<Json[]>): Promise<Json[]> {
  const all: Json[] = [];
  for await (const some of items) all.push(...some);
  return all;
}

describe('several upstreams', () => {
  test('are not called while the first one serves, and each gets its own model id', async () => {
    expect(await both.answer('chat/completions', body, never)).toMatchObject({ model: 'model-0' });
    expect(second.calls()).toEqual([]);
    first.script({ status: 500 });
    expect(await both.answer('chat/completions', body, never)).toMatchObject({ model: 'model-1' });
    expect(body.model).toBe('ours');
  });

  const replaced: Script[] = [
    { status: 500 },
    { status: 429 },
    { status: 401 },
    { fault: 'malformed', faultAfterChunks: 0 },
    { fault: 'stall', faultAfterChunks: 0 },
    { fault: 'errorFrame', faultAfterChunks: 0 },
    { fault: 'reset', faultAfterChunks: 0 },
    { fault: 'endEarly', faultAfterChunks: 0 },
    { fault: 'noStream' },
  ];
  test.each(replaced)('replace a first one that fails before its first chunk: %j', async (script) => {
    first.script(script);
    const upstreams = script.fault === 'stall' ? hurried : both;
    const items = await readAll(await upstreams.stream('chat/completions', { ...body, stream: true }, never));
    expect(items[0]).toMatchObject({ model: 'model-1' });
    expect(items.at(-1)).toMatchObject({ usage: { prompt_tokens: 8 } });
  });

  test('do not replace one that has sent a chunk', async () => {
    first.script({ fault: 'halfClose', faultAfterChunks: 1 });
    const items = await both.stream('chat/completions', { ...body, stream: true }, never);
    await expect(readAll(items)).rejects.toMatchObject({ fault: 'failed' });
    expect(second.calls()).toEqual([]);
  });

  test('are not called for a request that was refused', async () => {
    first.script({ status: 400 });
    await expect(both.answer('chat/completions', body, never)).rejects.toMatchObject({ fault: 'refused' });
    expect(second.calls()).toEqual([]);
  });

  test('fail with the last failure when all upstreams fail', async () => {
    first.script({ status: 500 });
    second.script({ status: 503, retryAfter: '3' });
    await expect(both.answer('chat/completions', body, never)).rejects.toMatchObject({
      fault: 'overloaded',
      retryAfterMs: 3000,
    });
  });

  test('are not called for a caller who has disconnected', async () => {
    first.script({ fault: 'stall', faultAfterChunks: 0 });
    const caller = new AbortController();
    const pending = both.stream('chat/completions', { ...body, stream: true }, caller.signal);
    await until(() => first.calls().length === 1);
    caller.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
    expect(second.calls()).toEqual([]);
  });

  test('are aborted when the reader leaves during the stream', async () => {
    first.script({ fault: 'endless', delayMs: 5 });
    for await (const items of await both.stream('chat/completions', { ...body, stream: true }, never)) {
      if (items.length > 0) break;
    }
    await until(() => first.calls()[0]?.aborted === true);
  });

  test('report when there is none', async () => {
    await expect(upstreamsOf().answer('chat/completions', body, never)).rejects.toMatchObject({
      fault: 'unavailable',
    });
  });
});

describe('an upstream that does not answer', () => {
  const hanging: Script = { fault: 'stall', faultAfterChunks: 0 };
  const ask = () => hurried.answer('chat/completions', body, never);

  test('is tried last for 30 s, then by one call at a time, until it answers', async () => {
    first.script(hanging);
    await ask();
    expect(first.calls()).toHaveLength(1);
    await Promise.all([ask(), ask()]);
    expect(first.calls()).toHaveLength(1);
    nowMs += 30_001;
    await Promise.all([ask(), ask(), ask()]);
    expect(first.calls()).toHaveLength(2);
    first.script({});
    nowMs += 30_001;
    expect(await ask()).toMatchObject({ model: 'model-0' });
    expect(await ask()).toMatchObject({ model: 'model-0' });
  });

  test('is still called when there is no other', async () => {
    first.script(hanging);
    await ask();
    first.script({});
    second.script({ status: 500 });
    expect(await ask()).toMatchObject({ model: 'model-0' });
  });

  test.each([1, 2])('after the start of a stream is tried last for 30 s too, of %i upstreams', async (count) => {
    const providers = providersAt([{ baseUrl: first.url, timeoutsMs: SHORT }, { baseUrl: second.url }]);
    const ofCount = (places: number) => providers.of(held, { id: 'ours', upstreams: placesOf(places) });
    const stream = async (upstreams: TextProvider) =>
      readAll(await upstreams.stream('chat/completions', { ...body, stream: true }, never));
    first.script({ fault: 'stall', faultAfterChunks: 3 });
    await expect(stream(ofCount(count))).rejects.toMatchObject({ fault: 'stalled' });
    first.script({});
    const both = ofCount(2);
    expect((await stream(both))[0]).toMatchObject({ model: 'model-1' });
    nowMs += 30_001;
    expect((await stream(both))[0]).toMatchObject({ model: 'model-0' });
    expect((await stream(both))[0]).toMatchObject({ model: 'model-0' });
  });

  test('or only accepts calls is replaced after its own timeout for a first chunk', async () => {
    const upstreams = upstreamsOf({ baseUrl: first.url, timeoutsMs: { firstByte: 200 } }, { baseUrl: second.url });
    first.script({ headDelayMs: 0, delayMs: 600_000 });
    const items = await readAll(await upstreams.stream('chat/completions', { ...body, stream: true }, never));
    expect(items[0]).toMatchObject({ model: 'model-1' });
    await until(() => first.calls()[0]?.aborted === true);
  });
});

test("an upstream that refuses the platform's own key is replaced, and the operator alarmed once a minute", async () => {
  first.script({ status: 401 });
  for (let call = 0; call < 3; call++) {
    expect(await both.answer('chat/completions', body, never)).toMatchObject({ model: 'model-1' });
  }
  expect(alarms).toEqual(['upstream-0']);
  nowMs += 60_000;
  await both.answer('chat/completions', body, never);
  expect(alarms).toEqual(['upstream-0', 'upstream-0']);
});
