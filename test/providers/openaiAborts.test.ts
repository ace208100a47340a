import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../providers/provider.ts';
import type { Script } from '../../rules/scripted/script.ts';
import { until } from '../support/until.ts';
import { chat, never, providerAt, usageAsked, openStage } from './openaiStage.ts';

const { upstream, provider } = await openStage();

describe("a caller's disconnect", () => {
  test.each([0, 1, 7])(
    'after %i chunks reaches the upstream, which would otherwise continue without end',
    async (chunks) => {
      const caller = new AbortController();
      const stream = provider.stream(
        'chat/completions',
        chat({ fault: 'endless', delayMs: 5 }, usageAsked),
        caller.signal,
      );
      const items = (await stream)[Symbol.asyncIterator]();
      for (let read = 0; read < chunks;) read += ((await items.next()).value as Json[]).length;
      caller.abort();
      await expect(items.next()).rejects.toMatchObject({ name: 'AbortError' });
      await until(() => upstream.calls()[0]?.aborted === true);
    },
  );

  test('before the head of the answer reaches the upstream, streamed or not', async () => {
    for (const mode of ['answer', 'stream'] as const) {
      const caller = new AbortController();
      const pending = provider[mode](
        'chat/completions',
        chat({ fault: 'stall', faultAfterChunks: 0 }, usageAsked),
        caller.signal,
      );
      await until(() => upstream.calls().at(-1)?.endedAt === undefined && upstream.calls().length > 0);
      caller.abort();
      await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
      await until(() => upstream.calls().at(-1)?.aborted === true);
      upstream.reset();
    }
  });

  test('by leaving the loop reaches the upstream', async () => {
    const stream = await provider.stream('chat/completions', chat({ fault: 'endless', delayMs: 5 }, usageAsked), never);
    for await (const items of stream) if (items.length > 0) break;
    await until(() => upstream.calls()[0]?.aborted === true);
  });

  test('while waiting for a free connection prevents the upstream call', async () => {
    const narrow = providerAt(upstream.url, { connectionsMax: 1 });
    const first = new AbortController();
    const second = new AbortController();
    await narrow.stream('chat/completions', chat({ fault: 'endless', delayMs: 5 }, usageAsked), first.signal);
    const waiting = narrow.answer('chat/completions', chat(), second.signal);
    second.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    first.abort();
    await narrow.answer('chat/completions', chat({ text: 'third' }), never);
    expect(upstream.calls()).toHaveLength(2);
    await narrow.close();
  });

  test('1,000 times leaves a pool that serves the next call', async () => {
    const narrow = providerAt(upstream.url, { connectionsMax: 8 });
    const leave = async (index: number) => {
      const caller = new AbortController();
      const script: Script =
        index % 3 === 0 ? { fault: 'stall', faultAfterChunks: 0 } : { fault: 'endless', delayMs: 1 };
      setTimeout(() => caller.abort(), index % 7);
      if (index % 2 === 0) await narrow.answer('chat/completions', chat(script), caller.signal);
      const stream = await narrow.stream('chat/completions', chat(script, { stream: true }), caller.signal);
      for await (const items of stream) expect(items.length).toBeGreaterThan(0);
    };
    for (let round = 0; round < 50; round += 1) {
      const ends = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => leave(round * 20 + index)));
      expect(ends.filter(({ status }) => status === 'fulfilled')).toEqual([]);
    }
    const answers = await Promise.all(
      Array.from({ length: 32 }, () => narrow.answer('chat/completions', chat(), never)),
    );
    expect(answers).toHaveLength(32);
    await until(() => upstream.calls().every(({ endedAt }) => endedAt !== undefined));
    await narrow.close();
  });

  test('before the call prevents it', async () => {
    await expect(provider.answer('chat/completions', chat(), AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
    await expect(provider.stream('chat/completions', chat(), AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(upstream.calls()).toEqual([]);
  });
});
