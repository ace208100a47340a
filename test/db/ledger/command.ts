import { expect } from '@jest/globals';
import type * as fc from 'fast-check';
import type { Client } from 'pg';
import type { Database } from '../../../db/database.ts';
import type { Bill, Hold, Spender } from '../../../db/ledger/ledger.ts';
import type { ReferenceCall, ReferenceLedger } from './referenceLedger.ts';

/** The actual account of a series of commands, and its running calls. */
export interface Real {
  db: Database;
  /** Another process that spends the same money. */
  other: Database;
  owner: Client;
  keys: Spender[];
  balance: () => Promise<bigint>;
  holds: Map<ReferenceCall, HeldCall>;
  settled: { bill: Bill; charge: bigint }[];
  steps: number;
}

/** A running call of one of the processes. */
export interface HeldCall {
  ledger: Database['ledger'];
  hold: Hold;
  bill: Bill;
}

/** Returns all unused money of slices, so that the free amounts equal the model's. */
export async function freeAll({ db, other, keys }: Real): Promise<void> {
  const { accountId } = keys[0]!;
  await Promise.all([db, other].map(({ ledger }) => ledger.freeSlices(accountId)));
}

export async function hasPartial({ db, keys }: Real): Promise<boolean> {
  const sql = `select from holds where account_id = $1 and state = 'open' and partial`;
  return (await db.pool.query(sql, [keys[0]!.accountId])).rowCount! > 0;
}

export type Step = (model: ReferenceLedger, real: Real) => Promise<void>;
export type Command = fc.AsyncCommand<ReferenceLedger, Real>;

/** A command in text form: after its step the balance must equal the model's. */
export function command(text: string, step: Step): Command {
  return {
    check: () => true,
    async run(model, real) {
      real.steps += 1;
      await step(model, real);
      expect(await real.balance()).toBe(model.posted);
    },
    toString: () => text,
  };
}
