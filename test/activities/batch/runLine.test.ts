import { expect, test } from '@jest/globals';
import type { LineCalls } from '../../../activities/batch/lineCalls.ts';
import { createLineRunner } from '../../../activities/batch/runLine.ts';
import type { Refusal } from '../../../db/accounting/refusals.ts';
import { chatLine } from '../../support/batchStage.ts';

const bytes = Buffer.from(JSON.stringify(chatLine('a', 'Hello.')));
const error = { message: 'No.', type: 'invalid_request_error', param: null, code: 'invalid_value' };

/** Runs one line, whose every call is refused, in a window of its own. Returns the refusals that it lists. */
async function listedBy(add: () => Promise<boolean>): Promise<string[]> {
  const listed: string[] = [];
  const refusal = { status: 400, error, listed: { id: 'req_1' } as Refusal };
  const runner = createLineRunner({
    lines: { run: async () => ({ requestId: 'req_1', refusal }) } as unknown as LineCalls,
    refusals: { keep: ({ id }) => void listed.push(id) },
    writer: { add },
    batchId: 'batch_1',
    key: {} as never,
    endpoint: '/v1/chat/completions',
    metadata: null,
    watch: { ending: undefined, isLost: false, end: () => {} },
    retryDelayMaxMs: 1,
  });
  runner.begin({ line: 1, bytes, start: { line: 1, offsetBytes: 0 } }, () => {});
  await runner.ended().catch(() => {});
  return listed;
}

test('a refused line is listed with its result', async () => {
  expect(await listedBy(async () => true)).toEqual(['req_1']);
});

test.each([
  ['has no result yet, which the repeated window lists', () => Promise.reject(new Error('the database is away'))],
  ['has the result of another worker, which has listed it', async () => false],
])('a refused line is not listed when it %s', async (_, add) => {
  expect(await listedBy(add)).toEqual([]);
});
