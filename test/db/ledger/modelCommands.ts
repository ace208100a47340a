import { expect } from '@jest/globals';
import * as fc from 'fast-check';
import { newId } from '../../../db/ids.ts';
import type { Bill, Hold } from '../../../db/ledger.ts';
import type { Settlement } from '../../../db/ledger/settlement.ts';
import { flushProcess, takeHold } from '../../../db/ledger/statements.ts';
import { billOf, settleAgain } from '../../support/ledger.ts';
import { command, type Command, type Real, type Step } from './command.ts';
import type { ReferenceCall, ReferenceLedger } from './referenceLedger.ts';

const key = fc.nat(3);
const index = fc.nat(100);
const amount = fc.bigInt(1n, 6_000n);

/** Everything that can happen to an account, in the proportions of a busy one. */
export const commands: fc.Arbitrary<Command>[] = [
  fc.bigInt(1n, 60_000n).map((nanos) => command(`top up ${nanos}`, topUp(nanos))),
  fc.tuple(key, amount).map(([k, nanos]) => command(`hold ${nanos} for key ${k}`, takeCall(k, nanos))),
  fc.tuple(key, amount).map(([k, nanos]) => command(`hold ${nanos} for key ${k}`, takeCall(k, nanos))),
  fc.tuple(index, amount).map(([i, nanos]) => command(`grow call ${i} by ${nanos}`, grow(i, nanos))),
  fc.tuple(index, fc.nat(130)).map(([i, percent]) => command(`settle call ${i} at ${percent} %`, settle(i, percent))),
  index.map((i) => command(`fail call ${i}`, fail(i))),
  index.map((i) => command(`settle again what was settled ${i}`, repeatSettlement(i))),
  fc
    .tuple(key, amount, amount)
    .map(([k, held, cost]) =>
      command(`a process dies with ${held} held by key ${k}, ${cost} used`, die(k, held, cost)),
    ),
  fc.constant(command('a new month begins', beginMonth)),
  fc.constant(command('slices are asked back', giveBack)),
];

const topUp =
  (nanos: bigint): Step =>
  async (model, { db, keys }) => {
    const { workspaceId } = keys[0]!;
    const order = { kind: 'topup', subject: newId('pay'), workspaceId, houseAccountId: 'payments' };
    await db.ledger.transfer({ ...order, amountNanos: nanos });
    model.posted += nanos;
  };

const takeCall =
  (k: number, want: bigint): Step =>
  async (model, real) => {
    const expected = model.ask(k, want);
    // Refused only after two seconds of waiting: other tests are patient enough for that.
    if (expected === 'held') return;
    if (typeof expected === 'bigint' && expected < want && (await hasPartial(real))) return;
    const spender = real.keys[k]!;
    const hold = await real.db.ledger.hold(spender, want).catch((error: { reason: string }) => error.reason);
    if (typeof hold === 'string') return expect(hold).toBe(expected);
    expect(hold.amountNanos).toBe(expected);
    const call = { key: k, amount: hold.amountNanos, period: model.period };
    model.calls.push(call);
    real.holds.set(call, { hold, bill: billOf(spender, 0n) });
  };

const grow =
  (i: number, more: bigint): Step =>
  async (model, real) => {
    const call = model.calls[i % (model.calls.length || 1)];
    if (!call) return;
    const { hold } = real.holds.get(call)!;
    const free = model.free(call.key, call.period);
    const expected = free < more ? free : more;
    const isBlocked = expected < more && (await hasPartial(real));
    const added = await hold.grow(more);
    if (!isBlocked) expect(added).toBe(expected > 0n ? expected : 0n);
    expect(added).toBeLessThanOrEqual(expected > 0n ? expected : 0n);
    call.amount += added;
    expect(hold.amountNanos).toBe(call.amount);
  };

const settle =
  (i: number, percent: number): Step =>
  async (model, real) => {
    const call = model.calls[i % (model.calls.length || 1)];
    if (!call) return;
    const { hold, bill } = takeOut(real, call);
    const costNanos = (hold.amountNanos * BigInt(percent)) / 100n;
    const charge = model.settle(call, costNanos);
    expect(await real.db.ledger.settle(hold, { ...bill, costNanos })).toBe(charge);
    real.settled.push({ bill, charge });
  };

const fail =
  (i: number): Step =>
  async (model, real) => {
    const call = model.calls[i % (model.calls.length || 1)];
    if (!call) return;
    const { hold, bill } = takeOut(real, call);
    model.settle(call, 0n);
    real.db.ledger.fail(hold, { ...bill, status: 502 });
    // Writes are in order: when this one is on disk, so is the failure.
    const probe = billOf(bill.spender, 0n);
    await real.db.ledger.settle({ ...hold, id: 'none', amountNanos: 0n, end: () => {} }, probe);
  };

const repeatSettlement =
  (i: number): Step =>
  async (_, real) => {
    const again = real.settled[i % (real.settled.length || 1)];
    if (!again) return;
    const item = settlementOf(again.bill, { hold: 'none', cost: 5_000n, charge: 5_000n });
    expect(await settleAgain(real.db, item)).toBe(again.charge);
  };

/** Another process takes a hold, keeps what its stream has used, and is never heard of again. */
const die =
  (k: number, held: bigint, cost: bigint): Step =>
  async (model, { db, keys }) => {
    await db.ledger.freeSlices(keys[0]!.accountId);
    const processId = newId('proc');
    await db.pool.query(`insert into processes (id, lease_until) values ($1, now() + interval '1 hour')`, [processId]);
    const id = newId('hold');
    const spender = keys[k]!;
    const order = { id, processId, keyId: spender.keyId, kind: 'request' as const };
    const { grantedNanos } = await takeHold(db.pool, { ...order, wantNanos: held, needNanos: held });
    if (grantedNanos > 0n) {
      const call = { key: k, amount: grantedNanos, period: model.period };
      model.calls.push(call);
      const charge = model.settle(call, cost);
      const progress = [settlementOf(billOf(spender, cost), { hold: id, cost, charge })];
      await flushProcess(db.pool, { processId, leaseMs: 3_600_000, progress, usedKeyIds: [] });
    }
    await db.pool.query(`update processes set lease_until = now() - interval '1 ms' where id = $1`, [processId]);
    const reaped = await db.ledger.reap();
    const settled = grantedNanos > 0n ? 1 : 0;
    expect(reaped).toEqual({ processesReaped: 1, requestsSettled: settled, holdsReleased: 0 });
  };

/** All that was written becomes forty days older: another day and another month, whatever the date. */
async function beginMonth(model: ReferenceLedger, { db, owner, keys }: Real): Promise<void> {
  const { accountId } = keys[0]!;
  await db.ledger.freeSlices(accountId);
  await owner.query('begin');
  await owner.query('update holds set day = day - 40 where account_id = $1', [accountId]);
  for (const days of [100_000, -100_040]) {
    await owner.query('update key_days set day = day + $2::int where key_id = any ($1)', [
      keys.map(({ keyId }) => keyId),
      days,
    ]);
  }
  await owner.query('alter table ledger_entries disable trigger ledger_entries_append_only');
  await owner.query(`update ledger_entries set created_at = created_at - interval '40 days' where account_id = $1`, [
    accountId,
  ]);
  await owner.query('alter table ledger_entries enable trigger ledger_entries_append_only');
  await owner.query('commit');
  model.period += 1;
}

async function giveBack(_: ReferenceLedger, { db, keys }: Real): Promise<void> {
  await db.ledger.freeSlices(keys[0]!.accountId);
}

function takeOut(real: Real, call: ReferenceCall): { hold: Hold; bill: Bill } {
  const held = real.holds.get(call)!;
  real.holds.delete(call);
  return held;
}

async function hasPartial({ db, keys }: Real): Promise<boolean> {
  const sql = `select from holds where account_id = $1 and state = 'open' and partial`;
  return (await db.pool.query(sql, [keys[0]!.accountId])).rowCount! > 0;
}

function settlementOf(bill: Bill, { hold, cost, charge }: { hold: string; cost: bigint; charge: bigint }): Settlement {
  const { spender, requestId, route, model, status, cancelled, usage } = bill;
  // prettier-ignore
  return {
    id: requestId, workspace: spender.workspaceId, account: spender.accountId, key: spender.keyId, hold,
    route, model, status, cancelled, usage, cost: Number(cost), charge: Number(charge), held: Number(charge),
    started: new Date().toISOString(), first: null, duration: 1, bytes: 0,
  };
}
