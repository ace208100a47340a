import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from '@jest/globals';
import { newId } from '../../../db/ids.ts';
import { createDeliveryJournal, readJournal } from '../../../db/ledger/deliveryJournal.ts';
import { refundUndelivered } from '../../../db/ledger/sweep.ts';
import { billOf, makeSpender, openLedger, spentByDay } from '../../support/ledger.ts';
import { makeFolder } from '../../support/folder.ts';

const db = await openLedger();
const folder = await makeFolder();
afterAll(() => folder.remove());

const throwIt = (error: unknown): never => {
  throw error;
};

async function read() {
  const [name] = await readdir(folder.path);
  return readJournal(await readFile(join(folder.path, name!), 'utf8'));
}

test('the journal lists billed and unsent answers, however often it is rewritten', async () => {
  let owner = 'proc_a';
  const journal = createDeliveryJournal({ folder: folder.path, processId: () => owner, onError: throwIt });
  const answer = (id: number) => ({ id: `req_${id}`, hold: `hold_${id % 7}` });
  for (let id = 0; id < 40_000; id += 100) {
    journal.begin(
      Array.from({ length: 100 }, (_, at) => answer(id + at)),
      id,
    );
    journal.end(Array.from({ length: 100 }, (_, at) => `req_${id + at}`).filter((sent) => sent !== 'req_50'));
  }
  expect(await read()).toEqual({ processId: 'proc_a', unsent: [answer(50)], notAfterMs: expect.any(Number) });
  owner = 'proc_b';
  journal.begin([answer(1)], 40_000);
  expect(await read()).toEqual({ processId: 'proc_b', unsent: [answer(50), answer(1)], notAfterMs: 40_000 });
  expect(journal.close()).toHaveLength(2);
  expect(await readdir(folder.path)).toEqual([]);
});

test.each([
  { limit: 'ulimit -f 1', disk: 'that becomes full', errors: expect.arrayContaining(['cut']) },
  { limit: 'ulimit -f 0; ulimit -n 64', disk: 'that is full', errors: ['EFBIG'] },
])('no answer that was sent is refunded on a disk $disk, and no file stays open', async ({ limit, errors }) => {
  const full = await makeFolder();
  const program = fileURLToPath(new URL('fullJournal.ts', import.meta.url));
  const line = `${limit}; exec "${process.execPath}" "${program}" "${full.path}"`;
  const env = { PATH: process.env.PATH };
  const { stdout } = await promisify(execFile)('sh', ['-c', line], { env });
  expect(JSON.parse(stdout)).toEqual({ errors, refunded: [], left: [] });
  await full.remove();
});

test('a line that the kill cut off counts for nothing', () => {
  expect(readJournal('P proc_a\nS 5 req_1 hold_1\nD req_1\nS 6 req_2 hol')).toEqual({
    processId: 'proc_a',
    unsent: [],
    notAfterMs: 5,
  });
});

test('billed and unsent answers of a killed process are refunded once, when its lease has expired', async () => {
  const { spender, balance } = await makeSpender(db, { balanceNanos: 1_000n, spendLimitNanos: 900n });
  const hold = await db.ledger.hold(spender, 100n);
  const [sent, unsent] = [billOf(spender, 10n), billOf(spender, 30n)];
  await db.ledger.settle(hold, sent);
  await db.ledger.settle(await db.ledger.hold(spender, 100n), unsent);
  const processId = newId('proc');
  await db.pool.query(`insert into processes (id, lease_until) values ($1, clock_timestamp() + interval '1 hour')`, [
    processId,
  ]);
  const ids = [sent, unsent].map(({ requestId }) => `${requestId} ${hold.id}`).join(' ');
  // An unused process id.
  const path = join(folder.path, 'ledgerline-answers-4194305-1-journal');
  await writeFile(path, `P ${processId}\nS 1 ${ids}\nD ${sent.requestId}\n`);
  await refundUndelivered(db.pool, folder.path);
  expect(await balance()).toBe(960n);
  await db.pool.query('update processes set lease_until = clock_timestamp() where id = $1', [processId]);
  await Promise.all([refundUndelivered(db.pool, folder.path), refundUndelivered(db.pool, folder.path)]);
  expect(await balance()).toBe(990n);
  expect(await spentByDay(db, spender.keyId)).toEqual([10n]);
  expect(await readdir(folder.path)).toEqual([]);
});

test('a journal of another installation is not touched, and read only once', async () => {
  const path = join(folder.path, 'ledgerline-answers-4194305-1-journal');
  await writeFile(path, 'P proc_elsewhere\nS 1 req_1 hold_1\n');
  const strange = new Set<string>();
  await refundUndelivered(db.pool, folder.path, strange);
  expect(strange).toEqual(new Set([path]));
  await writeFile(path, 'not read again');
  await refundUndelivered(db.pool, folder.path, strange);
  expect(await readdir(folder.path)).toHaveLength(1);
});
