import { a2aRoutes } from './agentCalls/a2a/a2aRoutes.ts';
import { accountRoutes } from './accounts/accountRoutes.ts';
import { batchRoutes } from './batches/batchRoutes.ts';
import { iconDoc, retrieveAgentIcon } from './agents/agentIcon.ts';
import { agentRoutes } from './agents/agentRoutes.ts';
import { pluginSecretRoutes } from './plugins/pluginSecrets.ts';
import { pluginSignInRoutes, signingInRoutes } from './plugins/pluginSignIns.ts';
import { fileRoutes } from './files/fileRoutes.ts';
import { runRoutes } from './runs/runRoutes.ts';
import { scheduleRoutes } from './schedules/scheduleRoutes.ts';
import { sessionRoutes } from './sessions/sessionRoutes.ts';
import { serveDocs } from './docs/serveDocs.ts';
import { consoleRoutes } from './console/consoleRoutes.ts';
import { erasureRoutes } from './console/erasureRoutes.ts';
import { keyRoutes } from './keys/keyRoutes.ts';
import { managedKeyRoutes } from './keys/managedKeyRoutes.ts';
import { requestRoutes } from './requests/requestRoutes.ts';
import { resumeRoutes } from './replay/resumeRoutes.ts';
import { balanceRoutes } from './billing/balanceRoutes.ts';
import { healthDocs } from './platform/healthDocs.ts';
import { mcpRoutes } from './agentCalls/mcp/mcpRoutes.ts';
import { speechInputRoutes } from './speechInput/speechInputRoutes.ts';
import { realtimeRoutes } from './realtime/realtimeRoutes.ts';
import { mirrorOf } from './console/mirror.ts';
import { operationsRoutes } from './console/operationsRoutes.ts';
import { publisherRoutes } from './publisher/publisherRoutes.ts';
import { fromConsole } from './guard/consoleOrigin.ts';
import { key, type Keyed, keyedBy } from './guard/key.ts';
import type { Guard } from './context.ts';
import { session, sessionOr } from './guard/session.ts';
import { query } from './body/parseWith.ts';
import { rate } from './guard/rate.ts';
import { explanationDoc, retrieveExplanation } from './billing/explain.ts';
import { overviewDoc, retrieveOverview } from './platform/overview.ts';
import { paymentRoutes } from './billing/paymentRoutes.ts';
import { wellKnownRoutes } from './billing/wellKnown.ts';
import { checkHealth, checkReadiness } from './platform/health.ts';
import { retrieveUsageReport } from './usage/usage.ts';
import { usageReportDoc } from './usage/usageDocs.ts';
import { UsageReportQuery } from './usage/usageSchema.ts';
import { get, type Route } from './http/router.ts';
import type { Services } from './services.ts';
import { testRoutes } from './testMode/testRoutes.ts';
import { textRoutes } from './text/textRoutes.ts';
import { voiceRoutes } from './voice/voiceRoutes.ts';
import { webhookRoutes } from './webhooks/webhookRoutes.ts';

/**
 * Every URL on one line: method, path, guards in order, handler, and documentation. A family with many routes has its lines in its own
 * folder; the comment above it has the start of its URLs.
 */
export function createRoutes(services: Services): Route[] {
  const [byKey, perMinute] = [key(services.db), rate(services.limits)];
  const routes = [
    ...workspaceRoutes(services, keyedBy(byKey, perMinute)),
    // /console: keys, then the operators' routes, with a key or signed in
    ...managedKeyRoutes(services, keyedBy(sessionOr(services, byKey), perMinute)),
    ...consoleRoutes(services, keyedBy(sessionOr(services, byKey), perMinute)),
    ...operationsRoutes(services, keyedBy(sessionOr(services, byKey), perMinute)),
    // /console/v1/erasure, /console/v1/export
    ...erasureRoutes(services, keyedBy(sessionOr(services, byKey), perMinute)),
    // /console/v1/plugins, /console/v1/plugin-sign-ins: signing in to plugins
    ...signingInRoutes(services, keyedBy(sessionOr(services, byKey), perMinute)),
    // /console/v1/me, /console/v1/auth
    ...accountRoutes(services),
    // /v1/agents/…/icon: for pages
    get('/v1/agents/:namespace/:slug/icon', [], retrieveAgentIcon(services), iconDoc),
    // /a2a, and agent cards
    ...a2aRoutes(services, keyedBy(byKey, perMinute)),
    // /.well-known: data for checking bills
    ...wellKnownRoutes(services),
    get('/healthz', [], checkHealth, healthDocs.health),
    get('/readyz', [], checkReadiness(services), healthDocs.readiness),
  ];
  // /console/v1: the routes of a key, for signed-in members
  const mirrored = mirrorOf(workspaceRoutes(services, keyedBy(session(services), perMinute)), routes);
  const ofConsole = fromConsole(services);
  const docs = serveDocs(services, routes);
  return [
    ...[...routes, ...mirrored].map((route) =>
      route.path.startsWith('/console/') ? guardedBy(ofConsole, route) : route,
    ),
    get('/openapi.json', [], docs),
    get('/docs', [], docs),
    get('/docs/:page', [], docs),
    get('/docs/:section/:page', [], docs),
  ];
}

const guardedBy = (first: Guard, route: Route): Route => ({ ...route, guards: [first, ...route.guards] });

/** The routes of one workspace. */
function workspaceRoutes(services: Services, keyed: Keyed): Route[] {
  const free = keyed();
  return [
    // /textapi/v1 and /v1, with the audio routes
    ...textRoutes(services, keyed),
    ...realtimeRoutes(services, keyed),
    // /platform/v1/key, /platform/v1/keys
    ...keyRoutes(services, keyed),
    // /platform/v1/requests
    ...requestRoutes(services, keyed),
    ...resumeRoutes(services, keyed),
    get('/platform/v1/overview', free, retrieveOverview(services), overviewDoc),
    get('/platform/v1/explain/:explained_id', free, retrieveExplanation(services), explanationDoc),
    get('/platform/v1/usage', keyed(query(UsageReportQuery)), retrieveUsageReport(services), usageReportDoc),
    // /platform/v1/billing: the balance and the ledger
    ...balanceRoutes(services, keyed),
    // /platform/v1/test_clock
    ...testRoutes(services, keyed),
    // /platform/v1/billing: payments
    ...paymentRoutes(services, keyed),
    // /platform/v1/webhook_endpoints, /platform/v1/events
    ...webhookRoutes(services, keyed),
    // /v1/runs, /v1/usage, and the cancellation of a session’s run
    ...runRoutes(services, keyed),
    // /v1/schedules
    ...scheduleRoutes(services, keyed),
    // /voiceapi
    ...voiceRoutes(services, keyed),
    ...speechInputRoutes(services, keyed),
    // /textapi/v1/files, /v1/files
    ...fileRoutes(services, keyed),
    // /textapi/v1/batches, /v1/batches
    ...batchRoutes(services, keyed),
    // /v1/sessions
    ...sessionRoutes(services, keyed),
    // /v1/plugins: the plugins' requirements of their callers
    ...pluginSecretRoutes(services, keyed),
    ...pluginSignInRoutes(services, keyed),
    // /v1/agents, /v1/mcp
    ...agentRoutes(services, keyed),
    ...mcpRoutes(services, keyed),
    // /v1/publisher
    ...publisherRoutes(services, keyed),
  ];
}
