import { expect, test } from '@jest/globals';
import { listen } from '../../../rules/scripted/startScripted.ts';
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

test('a whole answer that trickles in is left after the time for an answer', async () => {
  const upstream = await listen(0, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  });
  const limits = { idleTimeoutMs: 200_000, answerTimeoutMs: 1_100, connectTimeoutMs: 200_000, connectionsMax: 1 };
  const calls = createAudioCalls({ baseUrl: upstream.url, ...limits }, {});
  const answer = jsonOf(calls.post('audio/transcriptions', {}, new AbortController().signal));
  await expect(answer).rejects.toMatchObject({ fault: 'stalled' });
  await calls.close();
  await upstream.stop();
});
