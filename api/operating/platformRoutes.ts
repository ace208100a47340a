import { query } from '../body/parseWith.ts';
import { operatorKey } from '../console/operatorKey.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { get, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { platformDocs, PlaceQuery, RevenueQuery, TroubleQuery } from './platformDocs.ts';
import { retrieveLedgerProof } from './ledgerProof.ts';
import { searchEverywhere } from './placeSearch.ts';
import { retrieveRevenue } from './revenue.ts';
import { listTroubles } from './troubles.ts';
import { retrieveWork } from './work.ts';

/** What operators see of the whole platform. */
export function platformRoutes(services: Services, keyed: Keyed): Route[] {
  const operator: Keyed = (...checks) => keyed(scope('operator'), operatorKey(services), ...checks);
  const about = platformDocs();
  const at = '/console/v1/platform';
  return [
    get(`${at}/revenue`, operator(query(RevenueQuery)), retrieveRevenue(services), about.revenue),
    get(`${at}/workspaces`, operator(query(TroubleQuery)), listTroubles(services), about.troubles),
    get(`${at}/work`, operator(), retrieveWork(services), about.work),
    get(`${at}/ledger`, operator(), retrieveLedgerProof(services), about.ledger),
    get(`${at}/search`, operator(query(PlaceQuery)), searchEverywhere(services), about.search),
  ];
}
