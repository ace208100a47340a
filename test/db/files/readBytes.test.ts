import { afterAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { setImmediate } from 'node:timers/promises';
import { Client } from 'pg';
import type { Rows } from '../../../db/postgres/rows.ts';
import { readBytes } from '../../../db/files/files.ts';
import type { Queryable } from '../../../db/postgres/queryable.ts';
import { collect } from '../../support/streams.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';
import { storeFile } from '../sessions/sessionStage.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const SIZE_BYTES = 1_310_721;

async function endConnection(client: Queryable): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() pid');
  const server = new Client(process.env.TEST_DATABASE_URL);
  await server.connect();
  await server.query('select pg_terminate_backend($1, 5000)', [rows[0]!.pid]);
  await server.end();
}

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

  test('go on when the connection breaks between two parts, and not a second time', async () => {
    const { workspaceId } = await makeAccount(db);
    const text = 'w'.repeat(SIZE_BYTES);
    const id = await storeFile(db, workspaceId, { text });
    // The first statement reads four chunks, the second the rest.
    const breakingAt = (...breaks: number[]) => {
      const rows = db.read(workspaceId);
      let statements = 0;
      const statement: typeof rows.statement = (work) =>
        rows.statement(async (tx) => {
          if (breaks.includes((statements += 1))) await endConnection(tx.client);
          return work(tx);
        });
      return { ...rows, statement };
    };
    const read = (...breaks: number[]) => collect(readBytes(breakingAt(...breaks), { id, from: 0, to: SIZE_BYTES }));

    expect(Buffer.concat(await read(2)).toString()).toBe(text);
    await expect(read(1)).rejects.toThrow('the database cannot be read');
    await expect(read(2, 3)).rejects.toThrow('the database cannot be read');
  });

  test('are read by few statements at once, not all of one workspace, and a failure frees its turn', async () => {
    const waiting: { workspaceId: string; answer: () => void }[] = [];
    const rowsOf = (workspaceId: string, fault?: Error) =>
      ({
        workspaceId,
        statement: () =>
          new Promise((resolve, reject) => {
            const answer = () => (fault ? reject(fault) : resolve(Buffer.alloc(8)));
            waiting.push({ workspaceId, answer });
          }),
      }) as unknown as Rows;
    const owners = ['a', 'a', 'a', 'a', 'b', 'b', 'c'];
    const readers = owners.map((owner, at) =>
      collect(readBytes(rowsOf(owner, at === 1 ? new Error('cut') : undefined), { id: 'file_1', from: 0, to: 8 })),
    );
    const ends = Promise.allSettled(readers);
    const served: string[][] = [];
    while (served.flat().length < owners.length) {
      await setImmediate();
      served.push(waiting.map(({ workspaceId }) => workspaceId));
      for (const { answer } of waiting.splice(0)) answer();
    }
    expect(served.map((turn) => turn.toSorted())).toEqual([['a', 'a', 'b'], ['a', 'a', 'b'], ['c']]);
    expect((await ends).map(({ status }) => status === 'fulfilled')).toEqual(owners.map((_, at) => at !== 1));
  });

  test('are not readable from another workspace', async () => {
    const [mine, other] = [await makeAccount(db), await makeAccount(db)];
    const id = await storeFile(db, mine.workspaceId);
    const reading = collect(readBytes(db.read(other.workspaceId), { id, from: 0, to: 4 }));
    await expect(reading).rejects.toThrow('ended before their size');
  });
});
