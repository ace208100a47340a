import { inSpan, type Tracing } from '../../base/tracing.ts';
import type { Ledger } from './ledger.ts';

/** The ledger with a span around each step of a call's money, from its order until it is on disk. */
export function traceLedger(tracing: Tracing, ledger: Ledger): Ledger {
  const traced =
    <Args extends unknown[], Result>(name: string, step: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      inSpan(tracing, name, {}, () => step(...args));
  return {
    ...ledger,
    hold: traced('ledger.hold', ledger.hold),
    settle: traced('ledger.settle', ledger.settle),
    settleWithin: traced('ledger.settle', ledger.settleWithin),
    settleLine: traced('ledger.settle', ledger.settleLine),
    fail: traced('ledger.fail', ledger.fail),
  };
}
