import { z } from 'zod';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { searchText } from '../search/searchText.ts';
import { LedgerProof, Places, Revenue, WorkspaceTroubles, Work } from './platformAnswers.ts';

const TAG = 'Operating';

export const RevenueQuery = z.strictObject({
  days: z.coerce.number().int().min(1).max(90).default(30).describe('How many days (UTC), today included.'),
});

export const TroubleQuery = z.strictObject({
  hours: z.coerce.number().int().min(1).max(168).default(24).describe('Of which time calls are counted.'),
});

export const PlaceQuery = z.strictObject({
  query: searchText(2).meta({
    description: 'An id, the beginning of a key, a mail address, or a part of a workspace’s name.',
    examples: ['northwind'],
  }),
});

/** Documentation of what operators see of the whole platform. */
export function platformDocs() {
  return {
    revenue: {
      tag: TAG,
      summary: 'Read what the platform earns',
      description:
        'What customers were charged, by day, product and model, beside what upstreams cost where that is stated; payments, write-offs ' +
        'and payouts. Live workspaces alone. Compared with the period before.',
      query: RevenueQuery,
      answer: { id: 'Revenue', schema: Revenue },
    },
    troubles: {
      tag: TAG,
      summary: 'See which workspaces are in trouble',
      description:
        'Live workspaces whose calls fail most, whose balances run out, and whose calls cost more than was held for them. Counts and codes, ' +
        'nothing that customers made or sent.',
      query: TroubleQuery,
      answer: { id: 'WorkspaceTroubles', schema: WorkspaceTroubles },
    },
    work: {
      tag: TAG,
      summary: 'See what waits and which processes live',
      answer: { id: 'Work', schema: Work },
    },
    ledger: {
      tag: TAG,
      summary: 'Read when the ledger was last proven',
      description:
        'Every hour all rules of the ledger are checked, and each past day’s entries are signed: the outcomes, and the last signed day.',
      answer: { id: 'LedgerProof', schema: LedgerProof },
    },
    search: {
      tag: TAG,
      summary: 'Find whose something is',
      description:
        'Takes the id of anything, the beginning of a key, the mail address of a member or a part of a workspace’s name, and tells of what ' +
        'kind it is and to which workspace it belongs; never what is in it. What is found of a customer is in the audit, as `find_by_id` or ' +
        '`find_member`.',
      query: PlaceQuery,
      answer: { id: 'Places', schema: Places },
    },
  } satisfies Record<string, RouteDoc>;
}
