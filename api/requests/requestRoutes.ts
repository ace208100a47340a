import { query } from '../body/parseWith.ts';
import { type Keyed, scope } from '../guard/key.ts';
import { limitedAs } from '../guard/rate.ts';
import { get, type Route } from '../http/router.ts';
import { resumeDoc, ResumeQuery } from '../replay/resumeDocs.ts';
import { resumeStream } from '../replay/resumeStream.ts';
import type { Services } from '../services.ts';
import { textQuery } from '../text/parameters/textQuery.ts';
import { requestDocs } from './requestDocs.ts';
import { RequestsQuery } from './requestSchema.ts';
import { listEndedRequests, retrieveRequest } from './requests.ts';

/** Requests that have ended, and the stream of one that may still run. */
export function requestRoutes(services: Services, keyed: Keyed): Route[] {
  const resumption = keyed(
    scope('llm'),
    textQuery(ResumeQuery),
    limitedAs(() => 'follower'),
  );
  const requests = '/platform/v1/requests';
  return [
    get(requests, keyed(query(RequestsQuery)), listEndedRequests(services), requestDocs.list),
    get(`${requests}/:request_id`, keyed(), retrieveRequest(services), requestDocs.retrieve),
    get(`${requests}/:request_id/stream`, resumption, resumeStream(services), resumeDoc),
  ];
}
