import { agentRoutes } from './agents/agentRoutes.ts';
import { fileRoutes } from './files/fileRoutes.ts';
import { runRoutes } from './runs/runRoutes.ts';
import { sessionRoutes } from './sessions/sessionRoutes.ts';
import { platformDocs } from './platform/platformDocs.ts';
import { serveDocs } from './docs/serveDocs.ts';
import { consoleRoutes } from './console/consoleRoutes.ts';
import { publisherRoutes } from './publisher/publisherRoutes.ts';
import { key, keyedBy } from './guard/key.ts';
import { query } from './body/parseWith.ts';
import { rate } from './guard/rate.ts';
import { LedgerQuery, listLedger, retrieveBalance } from './platform/billing.ts';
import { paymentRoutes } from './platform/paymentRoutes.ts';
import { retrieveEvent, retrieveRequest } from './platform/requests.ts';
import { checkHealth, checkReadiness } from './platform/health.ts';
import { inspectKey, listKeys } from './platform/keys.ts';
import { get, type Route } from './http/router.ts';
import type { Services } from './services.ts';
import { textRoutes } from './text/textRoutes.ts';
import { voiceRoutes } from './voice/voiceRoutes.ts';

/**
 * Every URL on one line: method, path, guards in the order in which they run, handler, and what the documentation says. A family with
 * many has its lines in its own folder; the comment above it has the start of its URLs.
 */
export function createRoutes(services: Services): Route[] {
  const keyed = keyedBy(key(services.db.keys), rate(services.limits));
  const free = keyed();
  const about = platformDocs({ ledgerQuery: LedgerQuery });
  const routes = [
    // /textapi/v1 and /v1, with the audio routes
    ...textRoutes(services, keyed),
    get('/platform/v1/key', free, inspectKey(services), about.inspectKey),
    get('/platform/v1/keys', free, listKeys(services), about.listKeys),
    get('/platform/v1/requests/:request_id', free, retrieveRequest(services), about.retrieveRequest),
    get('/platform/v1/billing/balance', free, retrieveBalance(services), about.retrieveBalance),
    get('/platform/v1/billing/ledger', keyed(query(LedgerQuery)), listLedger(services), about.listLedger),
    // /platform/v1/billing: payments
    ...paymentRoutes(services, keyed),
    get('/platform/v1/events/:event_id', free, retrieveEvent(services), about.retrieveEvent),
    // /v1/runs, /v1/usage, and the cancellation of a session’s run
    ...runRoutes(services, keyed),
    // /voiceapi
    ...voiceRoutes(services, keyed),
    // /textapi/v1/files, /v1/files
    ...fileRoutes(services, keyed),
    // /v1/sessions
    ...sessionRoutes(services, keyed),
    // /v1/agents, /v1/mcp
    ...agentRoutes(services, keyed),
    // /v1/publisher
    ...publisherRoutes(services, keyed),
    // /console
    ...consoleRoutes(services, keyed),
    get('/healthz', [], checkHealth, about.health),
    get('/readyz', [], checkReadiness(services), about.readiness),
  ];
  const docs = serveDocs(services, routes);
  return [...routes, get('/openapi.json', [], docs.document), get('/docs', [], docs.page)];
}
