import type { RequestListener } from 'node:http';
import { createServer as createNetServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../providers/provider.ts';
import type { Script } from '../../rules/scripted/script.ts';
import { collect } from '../support/streams.ts';
import { until } from '../support/until.ts';
import { chat, never, providerAt, readAll, textOf, withServer, openStage } from './openaiStage.ts';

const { upstream, provider, impatient } = await openStage();

const policyRefusals: [string, Json, number][] = [
  ["OpenAI's refusal of an image", { code: 'content_policy_violation' }, 400],
  ["OpenAI's refusal of a prompt", { code: 'invalid_prompt' }, 400],
  ["Azure's", { code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } }, 400],
  ["OpenRouter's", { code: 403, metadata: { reasons: ['violence'], flagged_input: 'x' } }, 403],
  ['one in words', { message: 'Your request was rejected as a result of our safety system.' }, 400],
];

describe('a faulty upstream', () => {
  const faults: [string, Script, 'answer' | 'stream', object][] = [
    ['500', { status: 500 }, 'answer', { fault: 'failed', status: 500 }],
    ['500', { status: 500 }, 'stream', { fault: 'failed', status: 500 }],
    ['401', { status: 401 }, 'answer', { fault: 'account', status: 401, detail: undefined }],
    ['403', { status: 403 }, 'answer', { fault: 'account', status: 403, detail: undefined }],
    ['an exhausted quota', { status: 429, error: { code: 'insufficient_quota' } }, 'stream', { fault: 'account' }],
    [
      'a limit of the bill',
      { status: 400, error: { code: 'billing_hard_limit_reached' } },
      'answer',
      { fault: 'account' },
    ],
    [
      'a code of HTTP in a stream',
      { raw: { error: { code: 429, message: 'Slow.' } } },
      'stream',
      { fault: 'overloaded' },
    ],
    ['no credit, in a stream', { raw: { error: { code: 402 } } }, 'stream', { fault: 'account' }],
    ...policyRefusals.map(([name, error, status]): [string, Script, 'answer', object] => [
      name,
      { status, error },
      'answer',
      { fault: 'refused', status: 400, detail: { code: 'content_policy_violation' } },
    ]),
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

  test.each(faults)('%s (%j, %s) ends with its own error', async (_name, script, mode, expected) => {
    // All faults except a stall end a call by themselves.
    const caller = script.fault === 'stall' ? impatient : provider;
    const failure =
      mode === 'answer'
        ? await caller.answer('chat/completions', chat(script), never).catch((error: unknown) => error)
        : (await readAll(caller, script)).failure;
    expect(failure).toMatchObject({ name: 'ProviderError', ...expected });
  });

  test('still delivers what it sent before it failed', async () => {
    for (const fault of ['malformed', 'stall', 'halfClose', 'endEarly', 'errorFrame'] as const) {
      const { items } = await readAll(fault === 'stall' ? impatient : provider, { fault, faultAfterChunks: 4 });
      expect(items).toHaveLength(4);
    }
  });

  test('that sends single bytes is read like any other', async () => {
    const { items, failure } = await readAll(provider, { fault: 'byByte', text: 'Grüße 👩‍🚀', chunks: 2 });
    expect(failure).toBeUndefined();
    expect(textOf(items)).toBe('Grüße 👩‍🚀');
    const answer = await provider.answer('embeddings', { model: 'm:by-byte', input: 'x' }, never);
    expect(answer.object).toBe('list');
  });

  test('that omits [DONE] after its last chunk is accepted', async () => {
    expect((await readAll(provider, { fault: 'noDone' })).failure).toBeUndefined();
  });

  test('that reports wrong usage or none has its answer forwarded unchanged', async () => {
    const wrong = { prompt_tokens: -5, completion_tokens: '12' };
    expect((await provider.answer('chat/completions', chat({ usage: wrong }), never)).usage).toEqual(wrong);
    const { items } = await readAll(provider, { usage: null });
    expect(items.filter(({ usage }) => usage)).toEqual([]);
  });

  test.each(['{}', '{"choices":[]}', '{"choices":null}', '{"data":[]}', '{"choices":{"0":{}}}'])(
    'that answers without content has failed: %s',
    async (text) => {
      await withServer(
        (_request, response) => response.end(text),
        async (own) => {
          await expect(own.answer('chat/completions', chat(), never)).rejects.toMatchObject({ fault: 'failed' });
        },
      );
    },
  );

  test.each(['data: [DONE]\n\n', 'data: {"choices":[],"usage":{"prompt_tokens":3}}\n\ndata: [DONE]\n\n'])(
    'that ends a stream without content has failed: %j',
    async (text) => {
      const listener: RequestListener = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(text);
      };
      await withServer(listener, async (own) => {
        const stream = await own.stream('chat/completions', chat(), never);
        await expect(collect(stream)).rejects.toMatchObject({ fault: 'failed' });
      });
    },
  );

  const openChoice = (index: number, more: Json = {}) =>
    `data: ${JSON.stringify({ choices: [{ index, delta: { content: 'Hi' }, finish_reason: null, ...more }] })}\n\n`;

  test.each([
    ['one of two choices', openChoice(0) + openChoice(1) + openChoice(0, { finish_reason: 'stop' })],
    ['a choice with empty reasons', openChoice(0, { finish_reason: '' })],
    ['a choice that failed', openChoice(0, { error: { code: 502, message: 'Gone.' }, finish_reason: 'error' })],
  ])('that ends a stream within %s has failed', async (_name, text) => {
    const listener: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(text);
    };
    await withServer(listener, async (own) => {
      const stream = await own.stream('chat/completions', chat(), never);
      await expect(collect(stream)).rejects.toMatchObject({ fault: 'failed' });
    });
  });

  test('whose answer begins with a byte order mark is read like any other', async () => {
    const whole = JSON.stringify({ choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }] });
    const listener: RequestListener = (request, response) => {
      request.resume();
      response.end(`\uFEFF${whole}`);
    };
    await withServer(listener, async (own) => {
      expect(await own.answer('chat/completions', chat(), never)).toEqual(JSON.parse(whole));
    });
  });

  test('whose choice has an error instead of an answer has failed', async () => {
    const error = { code: 502, message: 'Gone.' };
    const raw = { choices: [{ index: 0, message: { content: '' }, error, finish_reason: 'error' }] };
    await expect(provider.answer('chat/completions', chat({ raw }), never)).rejects.toMatchObject({ fault: 'failed' });
  });

  test.each([
    ['text', 1],
    [['one', 'two'], 2],
    [[1, 2, 3], 1],
    [[[1, 2], [3]], 2],
  ])('that answers without a vector for each input has failed: %j', async (input, count) => {
    const vectors = (length: number) => ({ data: Array.from({ length }, (_, index) => ({ index, embedding: [1] })) });
    for (const length of [count - 1, count, count + 1].filter(Boolean)) {
      upstream.script({ raw: vectors(length) });
      const answer = provider.answer('embeddings', { model: 'm', input }, never);
      if (length === count) expect(await answer).toEqual(vectors(length));
      else await expect(answer).rejects.toMatchObject({ fault: 'failed' });
    }
  });

  const vectorsOf = (...places: (number | null)[]) => places.map((index, at) => ({ index, embedding: [index ?? at] }));

  test('whose vectors come in another order is put in order', async () => {
    const ask = () => provider.answer('embeddings', { model: 'm', input: ['one', 'two', 'three'] }, never);
    upstream.script({ raw: { data: vectorsOf(2, 0, 1) } });
    expect(await ask()).toEqual({ data: vectorsOf(0, 1, 2) });
    upstream.script({ raw: { data: vectorsOf(null, null, null) } });
    expect(await ask()).toEqual({ data: vectorsOf(null, null, null) });
  });

  test.each([
    ['doubled', vectorsOf(0, 1, 1)],
    ['beyond the inputs', vectorsOf(0, 1, 3)],
    ['taken by one without an index', vectorsOf(1, null, 2)],
    ['negative', vectorsOf(-1, 0, 2)],
  ])('whose vectors have an index that is %s has failed', async (_, data) => {
    upstream.script({ raw: { data } });
    const answer = provider.answer('embeddings', { model: 'm', input: ['one', 'two', 'three'] }, never);
    await expect(answer).rejects.toMatchObject({ fault: 'failed' });
  });

  test.each(['chat/completions', 'completions'] as const)('that answers %s with vectors has failed', async (path) => {
    const raw = { choices: [], data: vectorsOf(0) };
    await expect(provider.answer(path, chat({ raw }), never)).rejects.toMatchObject({ fault: 'failed' });
  });

  test('that never ends an answer is stopped at 64 MiB', async () => {
    const listener: RequestListener = (_request, response) => {
      const more = () => response.destroyed || response.write(Buffer.alloc(1024 * 1024, ' '), () => setImmediate(more));
      more();
    };
    await withServer(listener, async (own) => {
      await expect(own.answer('chat/completions', chat(), never)).rejects.toMatchObject({ fault: 'failed' });
    });
  });

  test('that sends more after [DONE] is disconnected, and the stream still ends normally', async () => {
    let closed = false;
    const listener: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write('data: {"choices":[{}]}\n\ndata: [DONE]\n\n'), 10);
      response.on('close', () => {
        clearInterval(timer);
        closed = true;
      });
    };
    await withServer(listener, async (own) => {
      const items: Json[] = [];
      for await (const some of await own.stream('chat/completions', chat(), never)) items.push(...some);
      expect(items).toEqual([{ choices: [{}] }]);
      await until(() => closed);
    });
  });

  test('that does not exist is unreachable, and the message does not contain the key', async () => {
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
    const own = providerAt(`https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, {
      connectTimeoutMs: 1_000,
    });
    await expect(own.answer('chat/completions', chat(), never)).rejects.toMatchObject({ fault: 'unreachable' });
    await own.close();
    server.close();
  });

  test('that closes the connection without an answer is unreachable', async () => {
    await withServer(
      (request) => request.socket.destroy(),
      async (own) => {
        await expect(own.answer('chat/completions', chat(), never)).rejects.toMatchObject({ fault: 'unreachable' });
        await expect(own.stream('chat/completions', chat(), never)).rejects.toMatchObject({ fault: 'unreachable' });
      },
    );
  });
});
