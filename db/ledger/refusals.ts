/**
 * Why no hold was placed: nothing left in the account, the key's ceiling, less left than the call needs, or all that is left is held by
 * other calls.
 */
export type HoldRefusalReason = 'balance' | 'ceiling' | 'short' | 'held' | 'revoked';

/** Thrown when a call may not run. Nothing was held and nothing will be billed. */
export class HoldRefused extends Error {
  readonly reason: HoldRefusalReason;
  /** The least that the call could have run with. */
  readonly needNanos: bigint;

  constructor(reason: HoldRefusalReason, needNanos = 1n) {
    super(`no hold: ${reason}`);
    this.name = 'HoldRefused';
    this.reason = reason;
    this.needNanos = needNanos;
  }
}

/** Thrown when the ledger can't be reached or can't keep its promises right now. Nothing was billed. */
export class LedgerUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'LedgerUnavailable';
  }
}
