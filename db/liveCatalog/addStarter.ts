import type { Rates } from '../money.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import type { Person } from '../workspaces/secondPerson.ts';
import { choose } from './agentModelChoice.ts';
import { changeEntry, lockCatalog, type ChangeRefusal, type EntryChange } from './changeCatalog.ts';
import type { Composing } from './composeCatalog.ts';
import { hasHadPrice, insertFirstPrice } from './proposals.ts';
import { insertCost } from './upstreamCosts.ts';

/** A model at a vendor, with everything that is needed to sell it: undefined parts are there already. */
export interface Starter {
  upstream: EntryChange | undefined;
  model: EntryChange | undefined;
  modelId: string;
  upstreamName: string;
  rates: Rates | undefined;
  /** What the vendor charges, if it is known. */
  costs: Rates | undefined;
  isForAgents: boolean;
}

export type StarterRefusal = { entry: 'upstream' | 'model'; refusal: ChangeRefusal } | { entry: 'price' };

/**
 * Adds a vendor's model: its upstream with the sealed key, the model, its first price and the choice for agents, all or nothing. Undefined:
 * it is added. `price`: the model has had a price, and two persons decide on the next one.
 */
export async function addStarter(
  everywhere: Rows<undefined>,
  base: Composing,
  starter: Starter,
  by: Person,
): Promise<StarterRefusal | undefined> {
  try {
    await everywhere.transaction(async (tx) => {
      await lockCatalog(tx);
      const refusal = await addAll(tx, base, starter, by);
      // What was added before the refusal must not stay.
      if (refusal) throw new Refused(refusal);
    });
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

class Refused extends Error {
  readonly refusal: StarterRefusal;

  constructor(refusal: StarterRefusal) {
    super('The model is not added.');
    this.refusal = refusal;
  }
}

async function addAll(
  tx: AnyTransaction,
  base: Composing,
  starter: Starter,
  by: Person,
): Promise<StarterRefusal | undefined> {
  for (const entry of ['upstream', 'model'] as const) {
    const refusal = starter[entry] && (await changeEntry(tx, base, starter[entry], by));
    if (refusal) return { entry, refusal };
  }
  const { modelId: model, upstreamName: upstream, rates, costs, isForAgents } = starter;
  if (rates) {
    if (await hasHadPrice(tx, model)) return { entry: 'price' };
    await insertFirstPrice(tx, { model, rates }, by);
  }
  if (costs) await insertCost(tx, { model, upstream, rates: costs }, by);
  if (isForAgents) await choose(tx, { model, state: 'chosen' }, by);
  return undefined;
}
