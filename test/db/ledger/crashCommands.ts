import { expect } from '@jest/globals';
import * as fc from 'fast-check';
import { newId } from '../../../db/ids.ts';
import type { Settlement } from '../../../db/ledger/settlement.ts';
import { postBatches, writeBatch } from '../../../db/ledger/batches.ts';
import { refundAnswers } from '../../../db/ledger/sweep.ts';
import { takeHold } from '../../../db/ledger/holdRows.ts';
import { flushProcess, readClock } from '../../../db/ledger/lease.ts';
import { billOf } from '../../support/ledger.ts';
import { command, freeAll, type Command, type Real, type Step } from './command.ts';
import { lateSettlement } from './lateSettlement.ts';
import type { ReferenceCall, ReferenceLedger } from './referenceLedger.ts';

/** How far a process's call got before the process died, and what a dead process may still do. */
const points = [
  'has its hold',
  'streams',
  'has written its bill',
  'has posted its bill',
  'wakes again',
  'was only paused',
  'posts what is forgotten',
  'writes too late',
  'had not sent its answer',
  'writes nonsense',
] as const;
type Point = (typeof points)[number];

const amount = fc.bigInt(1n, 6_000n);

/** Deaths between any two steps of a call, among all other commands. */
export const crashCommands: fc.Arbitrary<Command>[] = [
  fc
    .tuple(fc.nat(3), amount, amount, fc.constantFrom(...points))
    .map(([k, held, cost, point]) =>
      command(`a process dies that ${point}: ${held} held by key ${k}, ${cost} used`, die(k, { held, cost, point })),
    ),
];

interface Death {
  held: bigint;
  cost: bigint;
  point: Point;
}

/** Another process takes a hold, gets this far, and stays silent until it is swept. */
const die =
  (k: number, { held, cost, point }: Death): Step =>
  async (model, real) => {
    const { db, keys } = real;
    await freeAll(real);
    const processId = newId('proc');
    await db.pool.query(`insert into processes (id, lease_until) values ($1, 'infinity')`, [processId]);
    const id = newId('hold');
    const order = { id, processId, keyId: keys[k]!.keyId, kind: 'request' as const };
    const { grantedNanos } = await takeHold(db.pool, { ...order, wantNanos: held, needNanos: held });
    const call = { key: k, amount: grantedNanos, period: model.period };
    if (grantedNanos > 0n) model.calls.push(call);
    const dead = { processId, holdId: id, call, cost };
    if (grantedNanos > 0n) await ends[point](model, real, dead);
    else await sweep(real, processId);
  };

interface Dead {
  processId: string;
  holdId: string;
  call: ReferenceCall;
  cost: bigint;
}

const ends: Record<Point, (model: ReferenceLedger, real: Real, dead: Dead) => Promise<void>> = {
  'has its hold': async (model, real, { processId, call }) => {
    model.settle(call, 0n);
    expect(await sweep(real, processId)).toMatchObject({ requestsSettled: 0, holdsReleased: 1 });
  },
  streams: async (model, real, dead) => {
    await keep(real, dead, settlementOf(real, dead));
    model.settle(dead.call, dead.cost);
    expect(await sweep(real, dead.processId)).toMatchObject({ requestsSettled: 1, holdsReleased: 0 });
  },
  'has written its bill': async (model, real, dead) => {
    const item = settlementOf(real, dead);
    // Its earlier, smaller progress does not count.
    await keep(real, dead, { ...item, cost: 0, charge: 0 });
    await write(real, dead, item);
    model.settle(dead.call, dead.cost);
    expect(await sweep(real, dead.processId)).toMatchObject({ requestsSettled: 0, holdsReleased: 0 });
  },
  'has posted its bill': async (model, real, dead) => {
    const item = settlementOf(real, dead);
    await postBatches(real.db.pool, [await write(real, dead, item)]);
    model.settle(dead.call, dead.cost);
    await write(real, dead, item);
    expect(await sweep(real, dead.processId)).toMatchObject({ requestsSettled: 0, holdsReleased: 0 });
  },
  'wakes again': async (model, real, dead) => {
    await sweep(real, dead.processId);
    await write(real, dead, settlementOf(real, dead));
    model.settleLate(dead.call, dead.cost);
  },
  'was only paused': async (model, real, dead) => {
    const item = settlementOf(real, dead);
    const recorded = Math.floor(item.charge / 2);
    await keep(real, dead, { ...item, cost: recorded, charge: recorded });
    model.settle(dead.call, BigInt(recorded));
    expect(await sweep(real, dead.processId)).toMatchObject({ requestsSettled: 1 });
    await write(real, dead, item);
    model.chargeMore(dead.call, BigInt(item.charge - recorded));
  },
  'posts what is forgotten': async (model, real, dead) => {
    const id = await write(real, dead, settlementOf(real, dead));
    const client = await real.db.pool.connect();
    await client.query('begin');
    await client.query('select ledger_post_batches(array[$1], null)', [id]);
    await client.query('rollback');
    client.release();
    model.settle(dead.call, dead.cost);
    expect(await sweep(real, dead.processId)).toMatchObject({ requestsSettled: 0, holdsReleased: 0 });
  },
  'writes too late': async (model, real, dead) => {
    const batch = { id: newId('batch'), processId: dead.processId, items: [settlementOf(real, dead)] };
    const notAfterMs = await readClock(real.db.pool);
    expect(await writeBatch(real.db.pool, { ...batch, notAfterMs })).toBe(false);
    model.settle(dead.call, 0n);
    expect(await sweep(real, dead.processId)).toMatchObject({ requestsSettled: 0, holdsReleased: 1 });
  },
  'had not sent its answer': async (model, real, dead) => {
    const item = settlementOf(real, dead);
    await postBatches(real.db.pool, [await write(real, dead, item)]);
    await sweep(real, dead.processId);
    for (let time = 0; time < 2; time += 1) await refundAnswers(real.db.pool, [item]);
    model.settle(dead.call, 0n);
  },
  'writes nonsense': async (model, real, dead) => {
    await write(real, dead, { ...settlementOf(real, dead), route: null as unknown as string });
    model.settle(dead.call, 0n);
    expect(await sweep(real, dead.processId)).toMatchObject({ requestsSettled: 0, holdsReleased: 0 });
    const { rowCount } = await real.db.pool.query('delete from settlement_batches where refusal is not null');
    expect(rowCount).toBe(1);
  },
};

const settlementOf = ({ keys }: Real, { holdId, call, cost }: Dead): Settlement =>
  lateSettlement(billOf(keys[call.key]!, cost), {
    hold: holdId,
    cost,
    charge: cost < call.amount ? cost : call.amount,
  });

async function keep({ db }: Real, { processId }: Dead, item: Settlement): Promise<void> {
  await flushProcess(db.pool, { processId, leaseMs: 3_600_000, progress: [item], usedKeyIds: [], inUse: {} });
}

async function write({ db }: Real, { processId }: Dead, item: Settlement): Promise<string> {
  const id = newId('batch');
  await writeBatch(db.pool, { id, processId, items: [item] });
  return id;
}

async function sweep({ db }: Real, processId: string) {
  await db.pool.query(`update processes set lease_until = '-infinity' where id = $1`, [processId]);
  const swept = await db.ledger.reap();
  expect(swept.processesReaped).toBe(1);
  return swept;
}
