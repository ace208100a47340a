import type { Listed } from '../../base/openList.ts';
import { LedgerUnavailable } from '../postgres/ledgerUnavailable.ts';

/** Money reserved for one call. */
export interface Hold {
  readonly id: string;
  /** The lease it was placed under: a lost lease loses its holds. */
  leaseId?: string;
  /** Called when the lease was lost and the money could not be reserved again: the call must end. */
  onLost?: () => void;
  readonly amountNanos: bigint;
  /** Smaller than requested, because no more was free: the call must be kept within it. */
  readonly partial: boolean;
  /** It has a database row of its own, near the last cent: others may wait for what it leaves. */
  readonly isExact?: boolean;
  /**
   * Adds up to `moreNanos` and returns the added amount. 0: nothing more is free, so the call must end with what it has. A patient call
   * waits up to two seconds for what other calls hold.
   */
  grow(moreNanos: bigint, isPatient?: boolean): Promise<bigint>;
  /** Called when the settlement is on disk (or nothing is to be settled). Frees what was not charged, once. */
  end(chargedNanos: bigint): void;
}

/** A hold that can be placed again after its lease was lost. */
export interface CallHold extends Hold, Listed {
  readonly spender: Spender;
  /** From now on the hold is this database row, of the same amount. */
  moveTo(id: string): void;
}

/** Whose money a call spends. */
export interface Spender {
  keyId: string;
  accountId: string;
  workspaceId: string;
  /** The client secret whose limit binds its calls too. */
  secretId?: string;
  /** The project of the key; null or left out: the default one. */
  projectId?: string | null;
  /** Whether it demands upstreams that keep nothing. */
  noRetention?: boolean;
}

/**
 * By what calls are admitted together: their key, or their client secret. A key that moves to another project takes new slices there: those
 * of the old one count for the old one.
 */
export function purseIdOf({ keyId, secretId, projectId }: Spender): string {
  const id = secretId ?? keyId;
  return projectId ? `${id} ${projectId}` : id;
}

/** What the row of a hold names. */
export const ownerOf = ({ keyId, secretId }: Spender) => ({ keyId, secretId });

/** Adds up to `moreNanos` to a hold's row, and returns the added amount. */
export type Extend = (spender: Spender, holdId: string, moreNanos: bigint) => Promise<bigint>;

/**
 * Why no hold was placed: the account is empty, the key's or its project's ceiling is reached, the limit of its client secret leaves less than the call needs,
 * the others do, or other calls hold everything that is left.
 */
export type HoldRefusalReason = 'balance' | 'ceiling' | 'project' | 'secret' | 'short' | 'held' | 'revoked';

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

/** The error for a caller: every error that is not a refusal means that the database is down, in one form or another. */
export function asLedgerError(error: unknown): unknown {
  const name = (error as Error).name;
  return name === 'HoldRefused' || name === 'LedgerUnavailable'
    ? error
    : new LedgerUnavailable('the ledger failed', error);
}
