import { expect } from '@jest/globals';
import type * as fc from 'fast-check';
import type { Client } from 'pg';
import type { Database } from '../../../db/database.ts';
import type { Bill, Hold, Spender } from '../../../db/ledger.ts';
import type { ReferenceCall, ReferenceLedger } from './referenceLedger.ts';

/** The real account that a run of commands works on, and what of it is under way. */
export interface Real {
  db: Database;
  owner: Client;
  keys: Spender[];
  balance: () => Promise<bigint>;
  holds: Map<ReferenceCall, { hold: Hold; bill: Bill }>;
  settled: { bill: Bill; charge: bigint }[];
  steps: number;
}

export type Step = (model: ReferenceLedger, real: Real) => Promise<void>;
export type Command = fc.AsyncCommand<ReferenceLedger, Real>;

/** A command of so many words: after its step the balance is what the model says. */
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
