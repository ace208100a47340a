import type { ServerResponse } from 'node:http';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { listen } from '../../../rules/scripted/startScripted.ts';
import { collect } from '../../support/streams.ts';
import { createAudioCalls, jsonOf } from '../../../providers/voiceUpstream/audioCalls.ts';

const MEBIBYTE = Buffer.alloc(1024 * 1024, ' ');

/** An answer that ends only when its reader stops. */
function endless() {
  let [count, isLeft] = [0, false];
  async function* answer() {
    try {
      for (; count < 1_000; count += 1) yield MEBIBYTE;
    } finally {
      isLeft = true;
    }
  }
  return { answer: answer(), count: () => count, isLeft: () => isLeft };
}

test('an answer of a vendor without an end fails after 64 MiB, and is left', async () => {
  const { answer, count, isLeft } = endless();
  await expect(jsonOf(answer)).rejects.toMatchObject({ fault: 'failed', message: expect.stringMatching(/exceeds/) });
  expect([count(), isLeft()]).toEqual([64, true]);
});

test('a whole answer may begin with a byte order mark, and a character may be in two pieces', async () => {
  const bytes = Buffer.from('\uFEFF{"text":"é"}');
  const at = bytes.indexOf(0xc3) + 1;
  async function* pieces() {
    yield bytes.subarray(0, at);
    yield bytes.subarray(at);
  }
  expect(await jsonOf(pieces())).toEqual({ text: 'é' });
});

/** Audio calls with 1.1 s for an answer, to an upstream that answers by `send`. */
async function withUpstream(
  send: (response: ServerResponse) => void,
  use: (calls: ReturnType<typeof createAudioCalls>) => Promise<void>,
): Promise<void> {
  const upstream = await listen(0, (_request, response) => send(response.writeHead(200)));
  const limits = { idleTimeoutMs: 200_000, answerTimeoutMs: 1_100, connectTimeoutMs: 200_000, connectionsMax: 1 };
  const calls = createAudioCalls({ baseUrl: upstream.url, ...limits }, {});
  await use(calls);
  await calls.close();
  await upstream.stop();
}

/** Sends a byte now and then, without an end. */
function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 20);
  response.once('close', () => clearInterval(timer));
}

const never = new AbortController().signal;

test('a whole answer that trickles in is left after the time for an answer', async () => {
  await withUpstream(trickle, async (calls) => {
    const answer = jsonOf(calls.post('audio/transcriptions', {}, never));
    await expect(answer).rejects.toMatchObject({ fault: 'stalled' });
  });
});

test('a stream that trickles in is left after the time for an answer', async () => {
  await withUpstream(trickle, async (calls) => {
    const left = collect(calls.stream('audio/speech', {}, never));
    await expect(left).rejects.toMatchObject({ fault: 'stalled' });
  });
});

test('a stream lasts longer while sound comes', async () => {
  const PARTS = 60;
  const send = (response: ServerResponse): void => {
    let sent = 0;
    const timer = setInterval(() => {
      sent += 1;
      response.write(Buffer.alloc(2_000));
      if (sent < PARTS) return;
      clearInterval(timer);
      response.end();
    }, 20);
  };
  await withUpstream(send, async (calls) => {
    const heard = await collect(calls.stream('audio/speech', {}, never));
    expect(Buffer.concat(heard)).toHaveLength(PARTS * 2_000);
  });
});

test('the time in which the listener of a stream takes nothing does not count', async () => {
  const send = (response: ServerResponse): void => {
    response.write('a');
    setTimeout(() => response.end('b'), 1_500);
  };
  await withUpstream(send, async (calls) => {
    const heard: string[] = [];
    for await (const bytes of calls.stream('audio/speech', {}, never)) {
      heard.push(String(bytes));
      if (heard.length === 1) await setTimeoutPromise(1_600);
    }
    expect(heard.join('')).toBe('ab');
  });
});
