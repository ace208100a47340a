import type { Rows } from '../postgres/rows.ts';
import type { PriceRow } from './proposals.ts';

/** The prices of a model that matter now: the one that holds, the next one, and how many wait for a decision. */
export interface PresentPrices {
  present: PriceRow | undefined;
  next: PriceRow | undefined;
  pending: number;
}

/** The present prices by model, of one or of all. */
export async function readPresentPrices(
  everywhere: Rows<undefined>,
  model?: string,
): Promise<Map<string, PresentPrices>> {
  const { rows } = await everywhere.statement(({ client }) => client.query<PriceRow>(ROWS, [model ?? null]));
  const nowMs = Date.now();
  const hasBegun = ({ validFrom }: PriceRow): boolean => validFrom!.getTime() <= nowMs;
  return new Map(
    [...Map.groupBy(rows, (row) => row.model)].map(([name, own]) => {
      const approved = own.filter(({ status }) => status === 'approved');
      const present = approved.findLast(hasBegun);
      const next = approved.find((row) => !hasBegun(row));
      return [name, { present, next, pending: own.length - approved.length }];
    }),
  );
}

// Raw: the prices before the present one are left out.
const ROWS = `
select p.id, p.model, p.price_id as "priceId", p.rates, p.batch_percentage as "batchPercentage", p.follows_file as "followsFile",
  p.source, p.status, p.reason, p.holds_from as "holdsFrom", p.valid_from as "validFrom", p.proposed_by as "proposedBy", p.proposer,
  p.created_at as "createdAt", p.decided_by as "decidedBy", p.decider, p.decided_at as "decidedAt", p.is_first as "isFirst"
from catalog_prices p
where ($1::text is null or p.model = $1) and (p.status = 'pending' or (p.status = 'approved' and p.valid_from >= coalesce((
  select max(b.valid_from) from catalog_prices b
  where b.status = 'approved' and b.model = p.model and b.valid_from <= now()), '-infinity')))
order by p.valid_from, p.id`;
