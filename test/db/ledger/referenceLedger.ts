/** A minimal model of the ledger: one account, some keys, calls that hold and are settled. Amounts in nano-USD. */
export class ReferenceLedger {
  posted = 0n;
  period = 0;
  readonly keys: ReferenceKey[];
  readonly calls: ReferenceCall[] = [];
  /** Runs hold and settle like calls, except that their required amount must be free, and that a failed run is not charged. */
  readonly runs: ReferenceCall[] = [];

  constructor(keys: ReferenceKey[]) {
    this.keys = keys;
  }

  /** The amount that a key may still reserve in a period, by the account and by its ceiling. Negative when the ceiling is exceeded. */
  free(key: number, period = this.period): bigint {
    const held = [...this.calls, ...this.runs];
    const ofAccount = this.posted - sum(held);
    const left = this.left(key, period);
    if (left === undefined) return ofAccount;
    const ofKey = left - sum(held.filter((call) => call.key === key && this.counts(key, call.period, period)));
    return ofAccount < ofKey ? ofAccount : ofKey;
  }

  /** The unspent part of a key's ceiling in the period; undefined without a ceiling. */
  left(key: number, period = this.period): bigint | undefined {
    const { ceiling, spent } = this.keys[key]!;
    if (ceiling === undefined) return undefined;
    return ceiling - sum(spent.filter((item) => this.counts(key, item.period, period)));
  }

  /** Why a call would be refused now, or its part of `want`. */
  ask(key: number, want: bigint): Refusal | bigint {
    if (this.keys[key]!.isRevoked) return 'revoked';
    const left = this.left(key);
    if (this.posted === 0n) return 'balance';
    if (left !== undefined && left <= 0n) return 'ceiling';
    const free = this.free(key);
    return free <= 0n ? 'held' : free < want ? free : want;
  }

  /** Why a run would be refused now, or its hold: all of `want`, or at least `need`. */
  askRun(key: number, { want, need }: { want: bigint; need: bigint }): Refusal | bigint {
    if (this.keys[key]!.isRevoked) return 'revoked';
    const left = this.left(key);
    if (this.posted < need) return 'balance';
    if (left !== undefined && left < need) return 'ceiling';
    const free = this.free(key);
    return free < need ? 'held' : free < want ? free : want;
  }

  settle(call: ReferenceCall, cost: bigint): bigint {
    const charge = least(cost, call.amount);
    const open = this.calls.includes(call) ? this.calls : this.runs;
    open.splice(open.indexOf(call), 1);
    return this.charge(call, charge);
  }

  /** Settles a call whose hold has ended: it pays at most the free amount. */
  settleLate(call: ReferenceCall, cost: bigint): bigint {
    this.calls.splice(this.calls.indexOf(call), 1);
    const free = this.free(call.key, call.period);
    return this.charge(call, free < 0n ? 0n : least(least(cost, call.amount), free));
  }

  /** Charges more for an ended call: at most the free amount. */
  chargeMore(call: ReferenceCall, amount: bigint): bigint {
    const free = this.free(call.key, call.period);
    return this.charge(call, free < 0n ? 0n : least(amount, free));
  }

  /** The highest sum of a key's spending and holds in one period: a lower ceiling would be exceeded. */
  used(key: number): bigint {
    const { spent, resets } = this.keys[key]!;
    const all = [...spent, ...this.calls, ...this.runs].filter((item) => !('key' in item) || item.key === key);
    if (!resets) return sum(all);
    const periods = Array.from({ length: this.period + 1 }, (_, period) =>
      all.filter((item) => item.period === period),
    );
    return periods.map(sum).reduce((most, total) => (total > most ? total : most), 0n);
  }

  private charge({ key, period }: ReferenceCall, amount: bigint): bigint {
    this.posted -= amount;
    this.keys[key]!.spent.push({ amount, period });
    return amount;
  }

  /** The spending of a key by period, oldest first, without empty periods. */
  spentByPeriod(key: number): bigint[] {
    const { spent } = this.keys[key]!;
    const periods = Array.from({ length: this.period + 1 }, (_, period) =>
      sum(spent.filter((item) => item.period === period)),
    );
    return periods.filter((total) => total > 0n);
  }

  private counts(key: number, period: number, now: number): boolean {
    return !this.keys[key]!.resets || period === now;
  }
}

type Refusal = 'balance' | 'ceiling' | 'held' | 'revoked';

export interface ReferenceKey {
  ceiling: bigint | undefined;
  isRevoked: boolean;
  /** Whether a new period resets the ceiling. */
  resets: boolean;
  spent: { amount: bigint; period: number }[];
}

export interface ReferenceCall {
  key: number;
  amount: bigint;
  period: number;
}

const sum = (items: { amount: bigint }[]): bigint => items.reduce((total, { amount }) => total + amount, 0n);

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
