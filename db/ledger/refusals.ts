/** Why no hold was placed: nothing left in the account, the key's ceiling, or all that is left is held by other calls. */
export type HoldRefusalReason = 'balance' | 'ceiling' | 'held' | 'revoked';

/** Thrown when a call may not run. Nothing was held and nothing will be billed. */
export class HoldRefused extends Error {
  readonly reason: HoldRefusalReason;

  constructor(reason: HoldRefusalReason) {
    super(`no hold: ${reason}`);
    this.name = 'HoldRefused';
    this.reason = reason;
  }
}

/** Thrown when the ledger can't be reached or can't keep its promises right now. Nothing was billed. */
export class LedgerUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'LedgerUnavailable';
  }
}
