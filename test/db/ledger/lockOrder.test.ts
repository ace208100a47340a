import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { storeParts, type AnswerPart } from '../../../db/answers/answerPart.ts';
import { newId } from '../../../db/ids.ts';
import type { Spender } from '../../../db/ledger/ledger.ts';
import type { Settlement } from '../../../db/ledger/settlement.ts';
import { postEach, settleBatches, writeBatch } from '../../../db/ledger/batches.ts';
import { refundAnswers } from '../../../db/ledger/sweep.ts';
import { closeHolds } from '../../../db/ledger/holdRows.ts';
import { flushProcess } from '../../../db/ledger/lease.ts';
import { ownerUrlOf, setTestDatabase } from '../../support/database.ts';
import { billOf, makeSpender } from '../../support/ledger.ts';
import { until } from '../../support/until.ts';
import { lateSettlement } from './lateSettlement.ts';

let db: Awaited<ReturnType<typeof setTestDatabase>>;
let blocker: Client;
let prober: Client;

beforeAll(async () => {
  db = await setTestDatabase();
  [blocker, prober] = [0, 1].map(() => new Client({ connectionString: ownerUrlOf(db.url) })) as [Client, Client];
  await Promise.all([blocker.connect(), prober.connect()]);
  // As in a database whose locale sorts lower case first. PostgreSQL's byte order sorts it last.
  // This test reads no rows as a tenant, and the policy refers to a column that is changed here.
  await blocker.query('drop policy projects on schedules');
  for (const [table, column] of Object.values(tables))
    await blocker.query(`alter table ${table} alter column ${column} type text collate "en-x-icu"`);
});
afterAll(async () => {
  await Promise.all([blocker.end(), prober.end()]);
  await db.close();
});

const tables = {
  batches: ['settlement_batches', 'id'],
  progress: ['request_progress', 'request_id'],
  holds: ['holds', 'id'],
  keys: ['api_keys', 'id'],
  accounts: ['accounts', 'id'],
  secrets: ['client_secrets', 'id'],
} as const;

/** Two rows whose order differs between locale and bytes. */
interface Pair {
  first: string;
  second: string;
}

/** Operations on the rows of a pair, given in the wrong order. */
interface Work {
  table: keyof typeof tables;
  pair: Pair;
  run: () => Promise<unknown>;
}

const pairOf = (prefix: string): Pair => {
  const id = newId(prefix);
  return { first: `${id}B`, second: `${id}a` };
};

const settlement = (spender: Spender, hold: string): Settlement =>
  lateSettlement(billOf(spender, 100n), { hold, cost: 100n, charge: 100n });

async function makeProcess(): Promise<string> {
  const id = newId('proc');
  await db.pool.query(`insert into processes (id, lease_until) values ($1, now() + interval '1 hour')`, [id]);
  return id;
}

async function makeHold(spender: Spender, processId: string, id = newId('hold')): Promise<string> {
  await db.pool.query('select ledger_hold($1, $2, $3, $4, 1000, 1)', [id, processId, spender.keyId, 'request']);
  return id;
}

/** Two batches on disk, with one call each. */
async function writeTwo() {
  const { spender } = await makeSpender(db, { balanceNanos: 100_000n });
  const processId = await makeProcess();
  const pair = pairOf('batch');
  const batchIds = [pair.second, pair.first];
  const items: Settlement[] = [];
  for (const id of batchIds) {
    const item = settlement(spender, await makeHold(spender, processId));
    await writeBatch(db.pool, { id, processId, items: [item] });
    items.push(item);
  }
  return { pair, batchIds, items, processId };
}

async function keepProgress(processId: string, items: Settlement[]) {
  return flushProcess(db.pool, { processId, leaseMs: 3_600_000, progress: items, usedKeyIds: [], inUse: {} });
}

const works: Record<string, () => Promise<Work>> = {
  'posting batches together': async () => {
    const { pair, batchIds } = await writeTwo();
    return { table: 'batches', pair, run: () => settleBatches(db.pool, batchIds, []) };
  },
  'posting batches one by one': async () => {
    const { pair, batchIds } = await writeTwo();
    return { table: 'batches', pair, run: () => postEach(db.pool, batchIds) };
  },
  'ending the progress of what is posted': async () => {
    const { batchIds, items, processId } = await writeTwo();
    const pair = pairOf('req');
    const flushedIds = [pair.second, pair.first];
    await keepProgress(processId, [{ ...items[0]!, id: pair.second }]);
    await keepProgress(processId, [{ ...items[0]!, id: pair.first }]);
    return { table: 'progress', pair, run: () => settleBatches(db.pool, batchIds, flushedIds) };
  },
  'ending the progress of what is posted one by one': async () => {
    const { items, processId } = await writeTwo();
    const pair = pairOf('req');
    const named = [pair.second, pair.first].map((id, index) => ({ ...items[index]!, id }));
    const batchId = newId('batch');
    await writeBatch(db.pool, { id: batchId, processId, items: named });
    await keepProgress(processId, named);
    return { table: 'progress', pair, run: () => postEach(db.pool, [batchId]) };
  },
  'keeping progress': async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    const processId = await makeProcess();
    const pair = pairOf('req');
    const items = [pair.second, pair.first].map((id) => ({ ...settlement(spender, 'none'), id }));
    await keepProgress(processId, items);
    return { table: 'progress', pair, run: () => keepProgress(processId, items) };
  },
  'noting which keys are used': async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 1_000n });
    const processId = await makeProcess();
    const pair = pairOf('key');
    const usedKeyIds = [pair.second, pair.first];
    for (const id of usedKeyIds)
      await db.pool.query(
        `insert into api_keys (id, workspace_id, account_id, name, prefix, hash, scopes)
          select $1::text, workspace_id, account_id, name, prefix, convert_to($1::text, 'utf8'), scopes from api_keys where id = $2`,
        [id, spender.keyId],
      );
    const flush = { processId, leaseMs: 3_600_000, progress: [], usedKeyIds, inUse: {} };
    return { table: 'keys', pair, run: () => flushProcess(db.pool, flush) };
  },
  'closing holds': async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 100_000n });
    const processId = await makeProcess();
    const pair = pairOf('hold');
    const ids = [await makeHold(spender, processId, pair.second), await makeHold(spender, processId, pair.first)];
    return { table: 'holds', pair, run: () => closeHolds(db.pool, ids) };
  },
  'counting what client secrets have spent': async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 100_000n });
    const processId = await makeProcess();
    const pair = pairOf('cs');
    const batchId = newId('batch');
    const items: Settlement[] = [];
    for (const id of [pair.second, pair.first]) {
      const hold = await makeHold(spender, processId);
      await db.pool.query(
        `insert into client_secrets (id, workspace_id, key_id, hash, session, spend_limit_nanos, expires_at)
          values ($1::text, $2, $3, convert_to($1::text, 'utf8'), '{}', 1000, now())`,
        [id, spender.workspaceId, spender.keyId],
      );
      await db.pool.query('update holds set client_secret_id = $2 where id = $1', [hold, id]);
      items.push(settlement(spender, hold));
    }
    await writeBatch(db.pool, { id: batchId, processId, items });
    return { table: 'secrets', pair, run: () => settleBatches(db.pool, [batchId], []) };
  },
  'refunding answers of several accounts': async () => {
    const spenders = [1, 2].map(async () => (await makeSpender(db, { balanceNanos: 100_000n })).spender);
    const [one, two] = (await Promise.all(spenders)).toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1)) as [
      Spender,
      Spender,
    ];
    const processId = await makeProcess();
    const base = newId('req');
    const answers = [two, one].map((spender, index) => ({
      ...settlement(spender, 'none'),
      id: `${base}${index}`,
    }));
    const batchId = newId('batch');
    await writeBatch(db.pool, { id: batchId, processId, items: answers });
    await postEach(db.pool, [batchId]);
    const pair = { first: one.accountId, second: two.accountId };
    return { table: 'accounts', pair, run: () => refundAnswers(db.pool, answers) };
  },
  'ending what a dead process holds': async () => {
    const { spender } = await makeSpender(db, { balanceNanos: 100_000n });
    const processId = await makeProcess();
    const pair = pairOf('hold');
    for (const id of [pair.second, pair.first]) await makeHold(spender, processId, id);
    await db.pool.query(`update processes set lease_until = '-infinity' where id = $1`, [processId]);
    return { table: 'holds', pair, run: () => db.ledger.reap() };
  },
};

test.each(Object.keys(works))('%s locks rows in the byte order of their ids', async (name) => {
  const { table, pair, run } = await works[name]!();
  const [tableName, column] = tables[table];
  const lock = (client: Client, id: string) =>
    client.query(`select from ${tableName} where ${column} = $1 for update skip locked`, [id]);
  await blocker.query('begin');
  expect((await lock(blocker, pair.first)).rowCount).toBe(1);
  const running = run();
  await untilBlocked(blocker);
  // It waits for the first row: if it held the second, it would deadlock with operations that lock in order.
  expect((await lock(prober, pair.second)).rowCount).toBe(1);
  await blocker.query('rollback');
  await running;
});

/** Waits until another session waits for this one. */
async function untilBlocked(by: Client): Promise<void> {
  const { rows } = await by.query<{ pid: number }>('select pg_backend_pid() as pid');
  await until(async () => {
    const waiting = await prober.query('select from pg_stat_activity where $1 = any (pg_blocking_pids(pid))', [
      rows[0]!.pid,
    ]);
    return waiting.rowCount! > 0;
  });
}

/** The two writers of answers: with the bills of whole answers, and while streams are produced. */
const writersOfParts: Record<string, (parts: AnswerPart[]) => Promise<unknown>> = {
  'a batch with its answers': async (parts) => {
    const { spender } = await makeSpender(db, { balanceNanos: 100_000n });
    const processId = await makeProcess();
    const items = [settlement(spender, await makeHold(spender, processId))];
    return writeBatch(db.pool, { id: newId('batch'), processId, items, parts });
  },
  'parts of running streams': (parts) => storeParts(db.pool, parts),
};

const partOf = (requestId: string): AnswerPart => ({
  requestId,
  workspaceId: 'ws',
  fingerprint: null,
  part: 0,
  state: 'open',
  bytes: Buffer.from('x'),
});

/** Stores a part in a transaction that stays open. */
async function holdPart(client: Client, requestId: string): Promise<void> {
  const slot = `((extract(epoch from clock_timestamp())::bigint / 600) % 3)::smallint`;
  await client.query('begin');
  // In each slot, because a new slot may begin during the test.
  await client.query(
    `insert into answer_parts (slot, request_id, part, workspace_id, state, bytes)
      select (${slot} + later) % 3, $1, 0, 'ws', 'open', '' from generate_series(0, 1) later`,
    [requestId],
  );
}

test.each(Object.keys(writersOfParts))('%s are stored in the byte order of their ids', async (name) => {
  const { first, second } = pairOf('req');
  await holdPart(blocker, first);
  const storing = writersOfParts[name]!([partOf(second), partOf(first)]);
  await untilBlocked(blocker);
  // It has not stored the second part yet: otherwise this statement would wait.
  const other = new Client({ connectionString: ownerUrlOf(db.url), lock_timeout: 3_000 });
  await other.connect();
  const stored = await holdPart(other, second).then(() => 'stored', String);
  await Promise.all([other.end(), blocker.query('rollback')]);
  await storing;
  expect(stored).toBe('stored');
});

test('a batch and a flush that store the same parts in opposite orders both end', async () => {
  const id = newId('req');
  const [low, gate, otherGate, high] = ['a', 'b', 'c', 'd'].map((end) => partOf(`${id}${end}`)) as [
    AnswerPart,
    AnswerPart,
    AnswerPart,
    AnswerPart,
  ];
  await holdPart(blocker, gate.requestId);
  const batch = writersOfParts['a batch with its answers']!([low, gate, high]);
  await untilBlocked(blocker);
  // The flush waits for the batch, or at a separate gate together with the batch's next lock.
  const gatekeeper = new Client({ connectionString: ownerUrlOf(db.url) });
  await gatekeeper.connect();
  await holdPart(gatekeeper, otherGate.requestId);
  const flush = writersOfParts['parts of running streams']!([high, otherGate, low]);
  await until(async () => {
    const { rowCount } = await prober.query(
      `select from pg_stat_activity where query like '%insert into answer_parts%' and cardinality(pg_blocking_pids(pid)) > 0`,
    );
    return rowCount === 2;
  });
  await gatekeeper.end();
  await blocker.query('rollback');
  await expect(Promise.all([batch, flush])).resolves.toBeDefined();
});
