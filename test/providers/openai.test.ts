import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createOpenAiProvider } from '../../providers/openai.ts';
import type { Json } from '../../providers/provider.ts';
import type { Script } from '../../providers/scripted/script.ts';
import { startScripted } from '../../providers/scripted/startScripted.ts';
import type { Scripted } from '../../providers/scripted/startScripted.ts';
import { collect } from '../support/collect.ts';
import { until } from '../support/until.ts';

const idleTimeoutMs = 500;
/** The limit that a fault may take beyond the idle limit. */
const graceMs = 2000;

let upstream: Scripted;
let provider: ReturnType<typeof createOpenAiProvider>;

beforeAll(async () => {
  upstream = await startScripted();
  provider = providerAt(upstream.url);
});
afterEach(() => upstream.reset());
afterAll(async () => {
  await provider.close();
  await upstream.stop();
});

function providerAt(baseUrl: string, more: { apiKey?: string; connectionsMax?: number } = {}) {
  return createOpenAiProvider({ baseUrl, idleTimeoutMs, connectTimeoutMs: 1000, connectionsMax: 16, ...more });
}

function chat(script: Script = {}, more: Json = {}): Json {
  return { model: 'm', messages: [{ role: 'user', content: JSON.stringify({ scripted: script }) }], ...more };
}

const never = new AbortController().signal;
const usageAsked = { stream: true, stream_options: { include_usage: true } };

/** Reads a stream to its end or failure. */
async function readAll(script: Script, more: Json = usageAsked, signal = never) {
  const items: Json[] = [];
  try {
    for await (const some of await provider.stream('chat/completions', chat(script, more), signal)) items.push(...some);
  } catch (failure) {
    return { items, failure };
  }
  return { items, failure: undefined };
}

function textOf(items: Json[]): string {
  const choices = items.flatMap((item) => item.choices as { delta: { content?: string } }[]);
  return choices.map(({ delta }) => delta.content ?? '').join('');
}

/** A server of a test's own; `use` gets a provider for it. */
async function withServer(listener: RequestListener, use: (own: typeof provider) => Promise<void>): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = providerAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/some/prefix/v1/`, {
    apiKey: 'sk-up',
  });
  try {
    await use(own);
  } finally {
    await own.close();
    server.close();
    server.closeAllConnections();
  }
}

describe('a correct upstream', () => {
  test('gets the body as it is, below the address prefix, with the key as bearer', async () => {
    const seen: unknown[] = [];
    const listener: RequestListener = (request, response) => {
      request.setEncoding('utf8').on('data', (text) => seen.push(request.url, request.headers.authorization, text));
      request.on('end', () => response.end('{"ok": 1}'));
    };
    await withServer(listener, async (own) => {
      expect(await own.answer('embeddings', { model: 'm', input: 'ü' }, never)).toEqual({ ok: 1 });
      expect(seen).toEqual(['/some/prefix/v1/embeddings', 'Bearer sk-up', '{"model":"m","input":"ü"}']);
    });
  });

  test('gives whole answers on all three paths', async () => {
    const answer = await provider.answer('chat/completions', chat({ text: 'Grüße 👩‍🚀' }), never);
    expect(answer).toMatchObject({ choices: [{ message: { content: 'Grüße 👩‍🚀' }, finish_reason: 'stop' }] });
    const completion = await provider.answer('completions', { model: 'm', prompt: 'x' }, never);
    expect(completion).toMatchObject({ object: 'text_completion', usage: { prompt_tokens: 1 } });
    const embedding = await provider.answer('embeddings', { model: 'm', input: ['a', 'b'] }, never);
    expect(embedding.data).toHaveLength(2);
  });

  test('gives a stream whose chunks add up to the answer, with usage last', async () => {
    const { items, failure } = await readAll({ text: 'Grüße, 世界! 👩‍🚀 How are you?' });
    expect(failure).toBeUndefined();
    expect(textOf(items)).toBe('Grüße, 世界! 👩‍🚀 How are you?');
    expect(items.at(-1)).toMatchObject({
      choices: [],
      usage: { completion_tokens: upstream.calls()[0]?.outputTokens },
    });
  });

  test('may send early hints before its answer', async () => {
    const listener: RequestListener = (_request, response) => {
      response.writeEarlyHints({ link: '</x>; rel=preload' });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('data: {"choices":[{"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
    };
    await withServer(listener, async (own) => {
      const stream = await own.stream('chat/completions', chat(), never);
      expect(await collect(stream)).toEqual([[{ choices: [{ finish_reason: 'stop' }] }]]);
    });
  });

  test('may be sent many calls at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => provider.answer('chat/completions', chat(), never)),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(200);
  });
});

describe('a faulty upstream', () => {
  const faults: [string, Script, 'answer' | 'stream', object][] = [
    ['500', { status: 500 }, 'answer', { fault: 'failed', status: 500 }],
    ['500', { status: 500 }, 'stream', { fault: 'failed', status: 500 }],
    ['401', { status: 401 }, 'answer', { fault: 'failed', status: 401, detail: undefined }],
    [
      '429 in seconds',
      { status: 429, retryAfter: '7' },
      'answer',
      { fault: 'overloaded', status: 429, retryAfterMs: 7000 },
    ],
    ['429 in milliseconds', { status: 429, retryAfter: '7', retryAfterMs: 250 }, 'stream', { retryAfterMs: 250 }],
    ['429 without a time', { status: 429 }, 'answer', { fault: 'overloaded', retryAfterMs: undefined }],
    ['429 with nonsense', { status: 429, retryAfter: 'soon' }, 'answer', { retryAfterMs: undefined }],
    [
      '503 with a past date',
      { status: 503, retryAfter: 'Wed, 21 Oct 2015 07:28:00 GMT' },
      'answer',
      { retryAfterMs: 0 },
    ],
    [
      '400',
      { status: 400, error: { message: 'Too long.', param: 'messages', code: 'too_long' } },
      'stream',
      { fault: 'refused', status: 400, detail: { message: 'Too long.', param: 'messages', code: 'too_long' } },
    ],
    ['malformed JSON', { fault: 'malformed' }, 'answer', { fault: 'failed' }],
    ['malformed JSON', { fault: 'malformed' }, 'stream', { fault: 'failed' }],
    ['silence', { fault: 'stall' }, 'answer', { fault: 'stalled' }],
    ['silence before the head', { fault: 'stall', faultAfterChunks: 0 }, 'stream', { fault: 'stalled' }],
    ['silence in the stream', { fault: 'stall', faultAfterChunks: 3 }, 'stream', { fault: 'stalled' }],
    ['a half-closed socket', { fault: 'halfClose' }, 'answer', { fault: 'failed' }],
    ['a half-closed socket', { fault: 'halfClose', faultAfterChunks: 5 }, 'stream', { fault: 'failed' }],
    ['a reset', { fault: 'reset' }, 'stream', { fault: 'failed' }],
    ['a stream without its end', { fault: 'endEarly' }, 'stream', { fault: 'failed' }],
    ['an error inside', { fault: 'errorFrame' }, 'answer', { fault: 'failed', detail: { code: 'broken' } }],
    ['an error inside', { fault: 'errorFrame' }, 'stream', { fault: 'failed', detail: { code: 'broken' } }],
    ['JSON instead of a stream', { fault: 'noStream' }, 'stream', { fault: 'failed' }],
  ];

  test.each(faults)('%s (%j, %s) ends in time with its own error', async (_name, script, mode, expected) => {
    const startedMs = performance.now();
    const failure =
      mode === 'answer'
        ? await provider.answer('chat/completions', chat(script), never).catch((error: unknown) => error)
        : (await readAll(script)).failure;
    expect(failure).toMatchObject({ name: 'ProviderError', ...expected });
    expect(performance.now() - startedMs).toBeLessThan(idleTimeoutMs + graceMs);
  });

  test('delivers what it sent before it broke', async () => {
    for (const fault of ['malformed', 'stall', 'halfClose', 'endEarly', 'errorFrame'] as const) {
      const { items } = await readAll({ fault, faultAfterChunks: 4 });
      expect(items).toHaveLength(4);
    }
  });

  test('that sends byte by byte is read like any other', async () => {
    const { items, failure } = await readAll({ fault: 'byByte', text: 'Grüße 👩‍🚀', chunks: 2 });
    expect(failure).toBeUndefined();
    expect(textOf(items)).toBe('Grüße 👩‍🚀');
    const answer = await provider.answer('embeddings', { model: 'm:by-byte', input: 'x' }, never);
    expect(answer.object).toBe('list');
  });

  test('that forgets [DONE] after its last chunk is forgiven', async () => {
    expect((await readAll({ fault: 'noDone' })).failure).toBeUndefined();
  });

  test('that reports wrong usage or none is passed on as it is', async () => {
    const wrong = { prompt_tokens: -5, completion_tokens: '12' };
    expect((await provider.answer('chat/completions', chat({ usage: wrong }), never)).usage).toEqual(wrong);
    const { items } = await readAll({ usage: null });
    expect(items.filter(({ usage }) => usage)).toEqual([]);
  });

  test('that never ends an answer is cut at 64 MiB', async () => {
    const listener: RequestListener = (_request, response) => {
      const more = () => response.destroyed || response.write(Buffer.alloc(1024 * 1024, ' '), () => setImmediate(more));
      more();
    };
    await withServer(listener, async (own) => {
      await expect(own.answer('chat/completions', chat(), never)).rejects.toMatchObject({ fault: 'failed' });
    });
  });

  test('that goes on after [DONE] is hung up on, and the stream still ends well', async () => {
    let closed = false;
    const listener: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write('data: {"choices":[]}\n\ndata: [DONE]\n\n'), 10);
      response.on('close', () => {
        clearInterval(timer);
        closed = true;
      });
    };
    await withServer(listener, async (own) => {
      const items: Json[] = [];
      for await (const some of await own.stream('chat/completions', chat(), never)) items.push(...some);
      expect(items).toEqual([{ choices: [] }]);
      await until(() => closed);
    });
  });

  test('that is not there is unreachable, and the message does not hold the key', async () => {
    const server = createNetServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const own = providerAt(`http://127.0.0.1:${port}/v1`, { apiKey: 'sk-secret' });
    const failure = await own.answer('chat/completions', chat(), never).catch((error: Error) => error);
    expect(failure).toMatchObject({ fault: 'unreachable' });
    expect(JSON.stringify(failure) + String((failure as Error).stack)).not.toContain('sk-secret');
    await own.close();
  });

  test('that never finishes its TLS handshake is unreachable within the connect limit', async () => {
    const server = createNetServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const own = providerAt(`https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    await expect(own.answer('chat/completions', chat(), never)).rejects.toMatchObject({ fault: 'unreachable' });
    await own.close();
    server.close();
  });

  test('that hangs up without a word is unreachable', async () => {
    await withServer(
      (request) => request.socket.destroy(),
      async (own) => {
        await expect(own.answer('chat/completions', chat(), never)).rejects.toMatchObject({ fault: 'unreachable' });
        await expect(own.stream('chat/completions', chat(), never)).rejects.toMatchObject({ fault: 'unreachable' });
      },
    );
  });
});

describe('a caller who leaves', () => {
  test.each([0, 1, 7])('after %i chunks is seen leaving by the upstream within a second', async (chunks) => {
    const caller = new AbortController();
    const stream = provider.stream(
      'chat/completions',
      chat({ fault: 'endless', delayMs: 5 }, usageAsked),
      caller.signal,
    );
    const items = (await stream)[Symbol.asyncIterator]();
    for (let read = 0; read < chunks;) read += ((await items.next()).value as Json[]).length;
    const leftAt = Date.now();
    caller.abort();
    await expect(items.next()).rejects.toMatchObject({ name: 'AbortError' });
    await until(() => upstream.calls()[0]?.aborted === true);
    expect((upstream.calls()[0]?.endedAt ?? Infinity) - leftAt).toBeLessThan(1000);
  });

  test('before the head of the answer is seen leaving, streamed or not', async () => {
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

  test('by breaking out of the loop is seen leaving', async () => {
    const stream = await provider.stream('chat/completions', chat({ fault: 'endless', delayMs: 5 }, usageAsked), never);
    for await (const items of stream) if (items.length > 0) break;
    await until(() => upstream.calls()[0]?.aborted === true);
  });

  test('while waiting for a free connection never reaches the upstream', async () => {
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

  test('who already left is not served at all', async () => {
    await expect(provider.answer('chat/completions', chat(), AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
    await expect(provider.stream('chat/completions', chat(), AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(upstream.calls()).toEqual([]);
  });
});

test('a slow reader makes the upstream wait instead of filling the memory', async () => {
  let writtenBytes = 0;
  const frame = `data: ${JSON.stringify({ choices: [], padding: 'x'.repeat(16_000) })}\n\n`;
  const listener: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const more = () => {
      if (response.destroyed) return;
      response.write(frame, () => {
        writtenBytes += frame.length;
        setImmediate(more);
      });
    };
    more();
  };
  await withServer(listener, async (own) => {
    const stream = await own.stream('chat/completions', chat(), never);
    let beforeBytes = -1;
    // The upstream's writes stand still once the kernel's buffers are full.
    await until(
      () => {
        const still = writtenBytes > 0 && writtenBytes === beforeBytes;
        beforeBytes = writtenBytes;
        return still;
      },
      { pollMs: 200 },
    );
    expect(writtenBytes).toBeLessThan(32 * 1024 * 1024);
    const items = stream[Symbol.asyncIterator]();
    for (let read = 0; read < 5000;) read += ((await items.next()).value as Json[]).length;
    expect(writtenBytes).toBeGreaterThan(beforeBytes);
    await items.return?.();
  });
});
