import { expect } from '@jest/globals';
import * as fc from 'fast-check';
import { newId } from '../../../db/ids.ts';
import { inTransaction } from '../../../db/postgres/transaction.ts';
import { finishTestRun, insertRun } from '../../support/run.ts';
import { command, freeAll, hasPartial, type Command, type Real, type Step } from './command.ts';
import type { ReferenceCall, ReferenceLedger } from './referenceLedger.ts';

/** The run of a hold in the model, and its charge once it has ended. */
interface RealRun {
  id: string;
  holdId: string;
  charge?: bigint;
}

const realRuns = new WeakMap<ReferenceCall, RealRun>();
const ended = new WeakMap<ReferenceLedger, RealRun[]>();

const index = fc.nat(100);
const amount = fc.bigInt(1n, 6_000n);

/** The commands for runs of an account. */
export const runCommands: fc.Arbitrary<Command>[] = [
  fc.tuple(fc.nat(3), amount, amount).map(([key, one, other]) => {
    const [need, want] = one < other ? [one, other] : [other, one];
    return command(`run for key ${key}, wants ${want}, needs ${need}`, start(key, want, need));
  }),
  fc.tuple(index, fc.nat(100)).map(([i, percent]) => command(`park run ${i} at ${percent} %`, park(i, percent))),
  fc.tuple(index, amount).map(([i, nanos]) => command(`grow run ${i} by ${nanos}`, grow(i, nanos))),
  fc.tuple(index, fc.nat(100)).map(([i, percent]) => command(`settle run ${i} at ${percent} %`, settle(i, percent))),
  fc.tuple(index, amount).map(([i, nanos]) => command(`run ${i} fails having used ${nanos}`, fail(i, nanos))),
  index.map((i) => command(`settle again run ${i} that has ended`, settleAgain(i))),
];

/** Ends all open runs at one nano-USD, or at zero if a run was parked at zero: a run may not cost more than it holds. */
export async function endAllRuns(model: ReferenceLedger, real: Real): Promise<void> {
  while (model.runs.length > 0) {
    const call = model.runs[0]!;
    await end(model, real, call, { subtotalNanos: call.amount > 0n ? 1n : 0n, networkFeeNanos: 0n });
  }
}

const start =
  (key: number, want: bigint, need: bigint): Step =>
  async (model, real) => {
    const { db } = real;
    const spender = real.keys[key]!;
    // In the model, unused money of calls is free; in the database, once they return it.
    await freeAll(real);
    const asked = model.askRun(key, { want, need });
    const expected = typeof asked === 'bigint' && asked < want && (await hasPartial(real)) ? 'held' : asked;
    const run = { id: newId('run'), holdId: newId('hold') };
    const order = { holdId: run.holdId, keyId: spender.keyId, wantNanos: want, needNanos: need };
    const { outcome, grantedNanos } = await inTransaction(db.pool, async (client) => {
      const answer = await db.ledger.holdRun(client, order);
      const { workspaceId: publisherWorkspaceId } = spender;
      const row = { ...run, heldNanos: answer.grantedNanos, maxCostNanos: want, publisherWorkspaceId };
      if (answer.outcome === 'granted') await insertRun(client, spender, row);
      return answer;
    });
    if (typeof expected === 'string') return expect(outcome).toBe(expected);
    expect({ outcome, grantedNanos }).toEqual({ outcome: 'granted', grantedNanos: expected });
    const call = { key, amount: expected, period: model.period };
    model.runs.push(call);
    realRuns.set(call, run);
  };

const grow =
  (i: number, more: bigint): Step =>
  async (model, real) => {
    const call = model.runs[i % (model.runs.length || 1)];
    if (!call) return;
    await freeAll(real);
    const free = model.free(call.key, call.period);
    const expected = free < more ? free : more;
    const isBlocked = expected < more && (await hasPartial(real));
    const { id, holdId } = realRuns.get(call)!;
    const added = await inTransaction(real.db.pool, async (client) => {
      const nanos = await real.db.ledger.extendRun(client, holdId, more);
      await client.query('update runs set max_cost_nanos = max_cost_nanos + $2 where id = $1', [id, nanos]);
      return nanos;
    });
    if (!isBlocked) expect(added).toBe(expected > 0n ? expected : 0n);
    expect(added).toBeLessThanOrEqual(expected > 0n ? expected : 0n);
    call.amount += added;
  };

const park =
  (i: number, percent: number): Step =>
  async (model, { db }) => {
    const call = model.runs[i % (model.runs.length || 1)];
    if (!call) return;
    const keepNanos = (call.amount * BigInt(percent)) / 100n;
    const { holdId } = realRuns.get(call)!;
    await inTransaction(db.pool, (client) => db.ledger.shrinkRun(client, holdId, keepNanos));
    call.amount = keepNanos;
  };

const settle =
  (i: number, percent: number): Step =>
  async (model, real) => {
    const call = model.runs[i % (model.runs.length || 1)];
    if (!call) return;
    const total = (call.amount * BigInt(percent)) / 100n;
    const networkFeeNanos = total / 11n;
    await end(model, real, call, { subtotalNanos: total - networkFeeNanos, networkFeeNanos });
  };

const fail =
  (i: number, absorbedNanos: bigint): Step =>
  async (model, real) => {
    const call = model.runs[i % (model.runs.length || 1)];
    if (!call) return;
    const run = takeOut(model, call, 0n);
    await finishTestRun(real.db, run, { status: 'failed', absorbedNanos });
  };

const settleAgain =
  (i: number): Step =>
  async (model, { db, keys }) => {
    const runs = ended.get(model) ?? [];
    const run = runs[i % (runs.length || 1)];
    if (!run) return;
    const more = {
      subtotalNanos: 5_000n,
      networkFeeNanos: 500n,
      platformCostNanos: 400n,
      subsidyNanos: 0n,
      absorbedNanos: 0n,
    };
    const settlement = { runId: run.id, holdId: run.holdId, publisherWorkspaceId: keys[0]!.workspaceId, ...more };
    expect(await inTransaction(db.pool, (client) => db.ledger.settleRun(client, settlement))).toBe(run.charge);
  };

async function end(
  model: ReferenceLedger,
  { db }: Real,
  call: ReferenceCall,
  amounts: { subtotalNanos: bigint; networkFeeNanos: bigint },
): Promise<void> {
  const run = takeOut(model, call, amounts.subtotalNanos + amounts.networkFeeNanos);
  await finishTestRun(db, run, amounts);
}

function takeOut(model: ReferenceLedger, call: ReferenceCall, cost: bigint): RealRun {
  const run = realRuns.get(call)!;
  run.charge = model.settle(call, cost);
  ended.set(model, [...(ended.get(model) ?? []), run]);
  return run;
}
