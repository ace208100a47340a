import { afterAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readBytes } from '../../../db/files/files.ts';
import { collect } from '../../support/streams.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { storeFile } from '../sessions/sessionStage.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const SIZE_BYTES = 1_310_721;

describe('the bytes of a file', () => {
  test('are the same in every requested range', async () => {
    const { workspaceId } = await makeAccount(db);
    const text = Array.from({ length: SIZE_BYTES }, (_, at) => String.fromCharCode(97 + (at % 23))).join('');
    const id = await storeFile(db, workspaceId, { text });
    // Most boundaries are near the boundaries of chunks.
    const border = fc.oneof(
      fc.integer({ min: 0, max: SIZE_BYTES }),
      fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: -1, max: 1 })).map(([n, more]) => n * 262_144 + more),
    );
    await fc.assert(
      fc.asyncProperty(border, border, async (one, other) => {
        const [from, to] = [Math.max(0, Math.min(one, other)), Math.max(0, one, other)];
        const parts = await collect(readBytes(db.read(workspaceId), { id, from, to }));
        expect(Buffer.concat(parts).toString()).toBe(text.slice(from, to));
      }),
      { numRuns: 30 },
    );
  });

  test('are not readable from another workspace', async () => {
    const [mine, other] = [await makeAccount(db), await makeAccount(db)];
    const id = await storeFile(db, mine.workspaceId);
    const reading = collect(readBytes(db.read(other.workspaceId), { id, from: 0, to: 4 }));
    await expect(reading).rejects.toThrow('ended before their size');
  });
});
