import type { InferEntity } from '@mikro-orm/core';
import type { AgentModelChoice, CatalogChange } from '../entities/catalog.ts';
import type { Rates } from '../money.ts';
import type { Queryable } from '../postgres/queryable.ts';
import { ratesIn } from '../catalog/prices.ts';

export type ChangeRow = InferEntity<typeof CatalogChange>;
export type ChoiceRow = InferEntity<typeof AgentModelChoice>;

/** A price of a model that was approved, or that the file had: the newest that has begun holds. */
export interface HeldPrice {
  id: string;
  model: string;
  priceId: string;
  rates: Rates;
  batchPercentage: number | null;
  followsFile: boolean;
  validFromMs: number;
}

/** What operators changed and chose, and the prices of today and to come. */
export interface CatalogRows {
  changes: ChangeRow[];
  choices: ChoiceRow[];
  prices: HeldPrice[];
  costs: StatedCost[];
}

/** What an upstream charges for a model, as it was stated last. */
export interface StatedCost {
  model: string;
  upstream: string;
  rates: Rates;
}

export async function readCatalogRows(client: Queryable): Promise<CatalogRows> {
  const { rows: changes } = await client.query<ChangeRow>({ name: 'catalog_changes', text: CHANGES });
  const { rows: choices } = await client.query<ChoiceRow>({ name: 'catalog_choices', text: CHOICES });
  const { rows } = await client.query<HeldPriceRow>({ name: 'catalog_prices', text: PRICES });
  const prices = rows.map(({ rates, validFrom, ...row }) => ({
    ...row,
    rates: ratesIn(rates),
    validFromMs: validFrom.getTime(),
  }));
  const { rows: costs } = await client.query<StatedCostRow>({ name: 'catalog_costs', text: COSTS });
  return { changes, choices, prices, costs: costs.map((row) => ({ ...row, rates: ratesIn(row.rates) })) };
}

type StatedCostRow = Omit<StatedCost, 'rates'> & { rates: Record<string, string> };
type HeldPriceRow = Omit<HeldPrice, 'rates' | 'validFromMs'> & { rates: Record<string, string>; validFrom: Date };

// Raw: at the start, and for every change in every process.
const CHANGES = `
select kind, name, change, disabled, sealed_key as "sealedKey", key_last4 as "keyLast4", changed_by as "changedBy", changer,
  changed_at as "changedAt"
from catalog_changes order by kind = 'model', changed_at, name`;

const CHOICES = `
select state, model, chosen_by as "chosenBy", chooser, chosen_at as "chosenAt" from agent_model_choices order by state`;

const COSTS = `
select distinct on (model, upstream) model, upstream, rates from upstream_costs order by model, upstream, valid_from desc, id desc`;

// A call may last for a day, and as a line of a batch a little longer: its price is the one that held when it began.
const PRICES = `
select p.id, p.model, p.price_id as "priceId", p.rates, p.batch_percentage as "batchPercentage", p.follows_file as "followsFile",
  p.valid_from as "validFrom"
from catalog_prices p
where p.status = 'approved' and p.valid_from >= coalesce((
  select max(b.valid_from) from catalog_prices b
  where b.status = 'approved' and b.model = p.model and b.valid_from <= now() - interval '2 days'), '-infinity')
order by p.valid_from, p.id`;
