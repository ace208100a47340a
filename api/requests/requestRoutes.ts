import { query } from '../body/parseWith.ts';
import type { Keyed } from '../guard/key.ts';
import { get, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { requestDocs } from './requestDocs.ts';
import { RequestsQuery, RequestTotalsQuery } from './requestSchema.ts';
import { listEndedRequests, retrieveRequest, retrieveRequestTotals } from './requests.ts';

/** The routes of ended requests. */
export function requestRoutes(services: Services, keyed: Keyed): Route[] {
  const requests = '/platform/v1/requests';
  return [
    get(requests, keyed(query(RequestsQuery)), listEndedRequests(services), requestDocs.list),
    get(`${requests}/totals`, keyed(query(RequestTotalsQuery)), retrieveRequestTotals(services), requestDocs.totals),
    get(`${requests}/:request_id`, keyed(), retrieveRequest(services), requestDocs.retrieve),
  ];
}
