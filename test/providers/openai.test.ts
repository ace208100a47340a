import type { RequestListener } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../providers/provider.ts';
import { collect } from '../support/streams.ts';
import { until } from '../support/until.ts';
import { chat, never, readAll, textOf, withServer, openStage } from './openaiStage.ts';

const { upstream, provider } = await openStage();

describe('a correct upstream', () => {
  test('gets the unchanged body below the address prefix, with the key as bearer', async () => {
    const seen: unknown[] = [];
    const listener: RequestListener = (request, response) => {
      request.setEncoding('utf8').on('data', (text) => seen.push(request.url, request.headers.authorization, text));
      request.on('end', () => response.end('{"data": [{"embedding": [1]}]}'));
    };
    await withServer(listener, async (own) => {
      expect(await own.answer('embeddings', { model: 'm', input: 'ü' }, never)).toEqual({ data: [{ embedding: [1] }] });
      expect(seen).toEqual(['/some/prefix/v1/embeddings', 'Bearer sk-up', '{"model":"m","input":"ü"}']);
    });
  });

  test('returns whole answers on all three paths', async () => {
    const answer = await provider.answer('chat/completions', chat({ text: 'Grüße 👩‍🚀' }), never);
    expect(answer).toMatchObject({ choices: [{ message: { content: 'Grüße 👩‍🚀' }, finish_reason: 'stop' }] });
    const completion = await provider.answer('completions', { model: 'm', prompt: 'x' }, never);
    expect(completion).toMatchObject({ object: 'text_completion', usage: { prompt_tokens: 1 } });
    const embedding = await provider.answer('embeddings', { model: 'm', input: ['a', 'b'] }, never);
    expect(embedding.data).toHaveLength(2);
  });

  test('returns a stream whose chunks add up to the answer, with usage last', async () => {
    const { items, failure } = await readAll(provider, { text: 'Grüße, 世界! 👩‍🚀 How are you?' });
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

  test('serves many calls at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => provider.answer('chat/completions', chat(), never)),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(200);
  });
});

test('a slow reader pauses the upstream instead of filling the memory', async () => {
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
    // The upstream's writes stop once the kernel's buffers are full.
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
