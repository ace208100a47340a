/** Thrown when the ledger is unreachable or cannot keep its guarantees right now. Nothing was billed. */
export class LedgerUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'LedgerUnavailable';
  }
}
