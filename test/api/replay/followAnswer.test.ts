import { expect, test } from '@jest/globals';
import type { StoredPart } from '../../../db/answers/readParts.ts';
import { endingOf, followAnswer } from '../../../api/replay/followAnswer.ts';

const open: StoredPart = { part: 0, state: 'open', bytes: Buffer.from('begun, ') };
const whole: StoredPart = { part: 1, state: 'whole', bytes: Buffer.from('ended') };

/** What a reader gets of an answer that another process has begun. `asks` is what the questions who runs it find. */
async function textElsewhere(asks: { isSure: boolean }[], isResumed: () => boolean): Promise<string> {
  const answers = {
    find: () => undefined,
    askFor: async () => ({ requestId: undefined, others: 1, ...(asks.shift() ?? { isSure: true }) }),
    readParts: async (_: string, __: string, from: number) => [open, ...(isResumed() ? [whole] : [])].slice(from),
  };
  const services = { db: { answers } } as unknown as Parameters<typeof followAnswer>[0];
  const followed = { workspaceId: 'ws_1', requestId: 'req_1', from: 0, isOver: () => false };
  let text = '';
  for await (const parts of followAnswer(services, followed))
    text += parts.map(({ bytes }) => Buffer.from(bytes).toString()).join('');
  return text;
}

test('an answer of a process that is paused is followed until that one goes on', async () => {
  const asks = Array.from({ length: 4 }, () => ({ isSure: false }));
  expect(await textElsewhere(asks, () => asks.length === 0)).toBe('begun, ended');
});

test('an answer that no process runs ends after several questions', async () => {
  const asks = Array.from({ length: 3 }, () => ({ isSure: true }));
  expect(await textElsewhere(asks, () => asks.length < 0)).toBe('begun, ');
  expect(asks).toEqual([]);
});

test.each([
  ['open', 'stream_lost'],
  ['left', 'stream_abandoned'],
  ['large', 'Streams above 8 MiB are not kept'],
  ['unkept', 'stream_not_kept'],
] as const)('a followed stream without an end of its own says why: %s', (state, said) => {
  for (const route of ['/v1/chat/completions', '/v1/responses']) expect(endingOf(state, { route }, 0)).toContain(said);
});
