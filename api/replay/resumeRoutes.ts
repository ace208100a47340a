import { type Keyed, scope } from '../guard/key.ts';
import { limitedAs } from '../guard/rate.ts';
import { get, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { textQuery } from '../body/textQuery.ts';
import { resumeDoc, ResumeQuery } from './resumeDocs.ts';
import { resumeStream } from './resumeStream.ts';

/** The stream of a request, which may still run. */
export function resumeRoutes(services: Services, keyed: Keyed): Route[] {
  const resumption = keyed(
    scope('llm'),
    textQuery(ResumeQuery),
    limitedAs(() => 'follower'),
  );
  return [get('/platform/v1/requests/:request_id/stream', resumption, resumeStream(services), resumeDoc)];
}
