import { query } from '../body/parseWith.ts';
import type { Keyed } from '../guard/key.ts';
import { wholeWorkspace } from '../guard/projects.ts';
import { get, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { balanceDocs } from './billingDocs.ts';
import { listLedger, retrieveBalance, retrieveLedgerTotals } from './billing.ts';
import { LedgerQuery, LedgerTotalsQuery } from './billingSchema.ts';

/** The balance, and the entries of the ledger. */
export function balanceRoutes(services: Services, keyed: Keyed): Route[] {
  return [
    get('/platform/v1/billing/balance', keyed(), retrieveBalance(services), balanceDocs.retrieveBalance),
    get(
      '/platform/v1/billing/ledger',
      keyed(wholeWorkspace, query(LedgerQuery)),
      listLedger(services),
      balanceDocs.listLedger,
    ),
    get(
      '/platform/v1/billing/ledger/totals',
      keyed(wholeWorkspace, query(LedgerTotalsQuery)),
      retrieveLedgerTotals(services),
      balanceDocs.ledgerTotals,
    ),
  ];
}
