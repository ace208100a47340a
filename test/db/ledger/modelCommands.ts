import { expect } from '@jest/globals';
import * as fc from 'fast-check';
import { newId } from '../../../db/ids.ts';
import { billOf, settleAgain } from '../../support/ledger.ts';
import { command, freeAll, hasPartial, type Command, type HeldCall, type Real, type Step } from './command.ts';
import { lateSettlement } from './lateSettlement.ts';
import type { ReferenceCall, ReferenceLedger } from './referenceLedger.ts';

const key = fc.nat(3);
const index = fc.nat(100);
const amount = fc.bigInt(1n, 6_000n);

/** All events of an account, in a busy account's proportions. */
export const commands: fc.Arbitrary<Command>[] = [
  fc.bigInt(1n, 60_000n).map((nanos) => command(`top up ${nanos}`, topUp(nanos))),
  fc.tuple(key, amount).map(([k, nanos]) => command(`hold ${nanos} for key ${k}`, takeCall(k, nanos, 'db'))),
  fc
    .tuple(key, amount)
    .map(([k, nanos]) => command(`hold ${nanos} for key ${k} in the other process`, takeCall(k, nanos, 'other'))),
  fc.tuple(index, amount).map(([i, nanos]) => command(`grow call ${i} by ${nanos}`, grow(i, nanos))),
  fc.tuple(index, fc.nat(130)).map(([i, percent]) => command(`settle call ${i} at ${percent} %`, settle(i, percent))),
  index.map((i) => command(`fail call ${i}`, fail(i))),
  index.map((i) => command(`settle again what was settled ${i}`, repeatSettlement(i))),
  fc.constant(command('a new month begins', beginMonth)),
  fc.constant(command('slices are asked back', (_, real) => freeAll(real))),
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
  (k: number, want: bigint, where: 'db' | 'other'): Step =>
  async (model, real) => {
    const expected = model.ask(k, want);
    // Refused only after two seconds of waiting, which other tests cover.
    if (expected === 'held') return;
    if (typeof expected === 'bigint' && expected < want && (await hasPartial(real))) return;
    const spender = real.keys[k]!;
    const { ledger } = real[where];
    // The other process would return its reserve, but only after this one takes a part.
    await real[where === 'db' ? 'other' : 'db'].ledger.freeSlices(spender.accountId);
    const hold = await ledger.hold(spender, want).catch((error: { reason: string }) => error.reason);
    if (typeof hold === 'string') return expect(hold).toBe(expected);
    expect(hold.amountNanos).toBe(expected);
    const call = { key: k, amount: hold.amountNanos, period: model.period };
    model.calls.push(call);
    real.holds.set(call, { ledger, hold, bill: billOf(spender, 0n) });
  };

const grow =
  (i: number, more: bigint): Step =>
  async (model, real) => {
    const call = model.calls[i % (model.calls.length || 1)];
    if (!call) return;
    const { hold } = real.holds.get(call)!;
    await freeAll(real);
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
    const { ledger, hold, bill } = takeOut(real, call);
    const costNanos = (hold.amountNanos * BigInt(percent)) / 100n;
    const charge = model.settle(call, costNanos);
    expect(await ledger.settle(hold, { ...bill, costNanos })).toBe(charge);
    real.settled.push({ bill, charge });
  };

const fail =
  (i: number): Step =>
  async (model, real) => {
    const call = model.calls[i % (model.calls.length || 1)];
    if (!call) return;
    const { ledger, hold, bill } = takeOut(real, call);
    model.settle(call, 0n);
    await ledger.fail(hold, { ...bill, status: 502 });
    await ledger.posted();
  };

const repeatSettlement =
  (i: number): Step =>
  async (_, real) => {
    const again = real.settled[i % (real.settled.length || 1)];
    if (!again) return;
    const item = lateSettlement(again.bill, { hold: 'none', cost: 5_000n, charge: 5_000n });
    expect(await settleAgain(real.db, item)).toBe(again.charge);
  };

/** Moves all spending back by forty days: another day and month, whatever the date. */
async function beginMonth(model: ReferenceLedger, real: Real): Promise<void> {
  const { owner, keys } = real;
  const { accountId } = keys[0]!;
  await freeAll(real);
  await owner.query('begin');
  await owner.query('update holds set day = day - 40 where account_id = $1', [accountId]);
  for (const days of [100_000, -100_040]) {
    await owner.query('update key_days set day = day + $2::int where key_id = any ($1)', [
      keys.map(({ keyId }) => keyId),
      days,
    ]);
  }
  await owner.query('commit');
  model.period += 1;
}

function takeOut(real: Real, call: ReferenceCall): HeldCall {
  const held = real.holds.get(call)!;
  real.holds.delete(call);
  return held;
}
