import type { RequestListener } from 'node:http';
import { expect, test } from '@jest/globals';
import { chat, never, withServer } from './openaiStage.ts';

test('a whole answer that trickles in is left after the time for an answer', async () => {
  const listener: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
  };
  await withServer(
    listener,
    async (own) => {
      const answer = own.answer('chat/completions', chat(), never);
      await expect(answer).rejects.toMatchObject({
        fault: 'stalled',
        message: expect.stringContaining('whole answer'),
      });
    },
    { answerTimeoutMs: 1_100 },
  );
});
