/**
 * Why no hold was placed: the account is empty, the key's ceiling is reached, less is left than the call needs, or other calls hold
 * everything that is left.
 */
export type HoldRefusalReason = 'balance' | 'ceiling' | 'short' | 'held' | 'revoked';

/** Thrown when a call may not run. Nothing was held and nothing will be billed. */
export class HoldRefused extends Error {
  readonly reason: HoldRefusalReason;
  /** The smallest hold that the call could have run with. */
  readonly needNanos: bigint;

  constructor(reason: HoldRefusalReason, needNanos = 1n) {
    super(`no hold: ${reason}`);
    this.name = 'HoldRefused';
    this.reason = reason;
    this.needNanos = needNanos;
  }
}

/** Thrown when the ledger is unreachable or cannot keep its guarantees right now. Nothing was billed. */
export class LedgerUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'LedgerUnavailable';
  }
}
