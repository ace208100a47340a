import { expect, test } from '@jest/globals';
import type { KeptCall } from '../../../db/answers/keptCall.ts';
import type { Context } from '../../../api/context.ts';
import { answerAgain, type Try } from '../../../api/replay/answerAgain.ts';
import type { Services } from '../../../api/services.ts';

const tried: Try = { fingerprint: 'one', bodyHash: 'body', retries: 1, isRetry: true, isKeyed: false };

/** A retry that looks for its first try while a process is silent for these many looks. Returns how often it asks who runs it. */
async function questionsOf(silentLooks: number): Promise<number> {
  let questions = 0;
  let looks = silentLooks;
  const answers = {
    findKept: async () => undefined,
    withFingerprint: () => [],
    claim: async () => undefined,
    // Sure in the end also of a retry that never looks.
    ask: async () => {
      questions += 1;
      return { requestId: undefined, others: 1, isSure: looks <= 0 || questions === 10 };
    },
    hasSilent: async () => (looks -= 1) > 0,
  };
  const services = { db: { answers }, shutdown: { hasBegun: () => false } } as unknown as Services;
  const own = { order: { workspaceId: 'ws_1' }, ask: (search: () => unknown) => search() } as unknown as KeptCall;
  const ctx = { res: { destroyed: false }, state: { log: {} } } as unknown as Context;
  expect(await answerAgain(ctx, services, tried, own)).toBe(false);
  return questions;
}

// A question takes several statements and two notices, and every caller of a process that was killed asks.
test('a retry asks once more when no process is silent any more, not all the time until then', async () => {
  expect(await questionsOf(3)).toBe(2);
});
