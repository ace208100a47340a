import type { z } from 'zod';
import { ratesIn } from '../../db/catalog/prices.ts';
import { mayApprove, type PriceRow } from '../../db/liveCatalog/proposals.ts';
import type { Person } from '../../db/workspaces/secondPerson.ts';
import type { CatalogPriceAnswer } from './catalogAnswers.ts';
import { usdPerMillionOf } from './units.ts';

/** A price for operators, who see who proposed and who decided it. */
export function presentPrice(row: PriceRow, reader: Person): z.infer<typeof CatalogPriceAnswer> {
  return {
    id: row.id,
    object: 'catalog.price',
    model: row.model,
    usd_per_million: usdPerMillionOf(ratesIn(row.rates)),
    batch_percentage: row.batchPercentage,
    source: row.source,
    is_first: row.isFirst,
    from_file: row.followsFile,
    status: row.status,
    reason: row.reason,
    holds_from: row.holdsFrom?.toISOString() ?? null,
    valid_from: row.validFrom?.toISOString() ?? null,
    proposed_by: row.proposer,
    decided_by: row.decider,
    created_at: row.createdAt.toISOString(),
    decided_at: row.decidedAt?.toISOString() ?? null,
    may_approve: mayApprove(row, reader),
    may_withdraw: row.status === 'pending' && row.proposedBy === reader.personId,
  };
}
