/** Whose money a call spends. */
export interface Spender {
  keyId: string;
  accountId: string;
  workspaceId: string;
}

/** Adds up to `moreNanos` to a hold's row, and returns the added amount. */
export type Extend = (spender: Spender, holdId: string, moreNanos: bigint) => Promise<bigint>;
