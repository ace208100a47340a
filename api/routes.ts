import { mirrorOf } from './console/mirror.ts';
import { serveDocs } from './docs/serveDocs.ts';
import { fromConsole } from './guard/consoleOrigin.ts';
import { key, type Keyed, keyedBy } from './guard/key.ts';
import type { Guard } from './context.ts';
import { session, sessionOr } from './guard/session.ts';
import { rate } from './guard/rate.ts';
import { healthDocs } from './platform/healthDocs.ts';
import { checkHealth, checkReadiness } from './platform/health.ts';
import { get, type Route } from './http/router.ts';
import { createRouteTable, openRoom, type Room, room, type RouteTable } from './http/routeTable.ts';
import type { Services } from './services.ts';
import { textRoutes } from './text/textRoutes.ts';

/**
 * Every URL on one line, in its room's own folder: method, path, guards in order, handler, and documentation. A room is loaded at the first
 * request for one of its families of URLs, which are named here; only what a chat completion needs is loaded at start. All rooms together
 * are a third of the process's modules.
 */
export function createRoutes(services: Services): RouteTable {
  const [byKey, perMinute] = [key(services.db), rate(services.limits)];
  const rooms = [
    ...workspaceRooms(services, keyedBy(byKey, perMinute)),
    ...consoleRooms(services, keyedBy(sessionOr(services, byKey), perMinute)),
    ...openRooms(services, keyedBy(byKey, perMinute)),
  ];
  const documented = createRouteTable(rooms);
  const docs = serveDocs(services, documented.all);
  const ofConsole = fromConsole(services);
  return createRouteTable([
    ...rooms.map((one) => guardedBy(ofConsole, one)),
    // /console/v1: the routes of a key, for signed-in members. Which they are is known once all others are loaded.
    guardedBy(ofConsole, {
      has: (family) => family.startsWith('/console/v1/'),
      load: async () => {
        const mirrored = createRouteTable(workspaceRooms(services, keyedBy(session(services), perMinute)));
        return mirrorOf(await mirrored.all(), await documented.all());
      },
    }),
    openRoom([
      get('/openapi.json', [], docs),
      get('/schemas/agent.json', [], docs),
      get('/docs', [], docs),
      get('/docs/:page', [], docs),
      get('/docs/:section/:page', [], docs),
    ]),
  ]);
}

/** The room, with a guard before those of its routes of the console. */
const guardedBy = (first: Guard, { has, load }: Room): Room => ({
  has,
  load: async () =>
    (await load()).map((route) =>
      route.path.startsWith('/console/') ? { ...route, guards: [first, ...route.guards] } : route,
    ),
});

/** Makes rooms of families, separated by spaces; `prefix` stands before the name of each. */
const roomMaker =
  (services: Services, keyed: Keyed, prefix = '') =>
  (families: string, load: () => Promise<(services: Services, keyed: Keyed) => Route[]>): Room =>
    room(families.replaceAll(/\S+/g, `${prefix}$&`), async () => (await load())(services, keyed));

/** The routes of one workspace. */
function workspaceRooms(services: Services, keyed: Keyed): Room[] {
  const of = roomMaker(services, keyed);
  return [
    ...['/textapi/v1', '/v1'].flatMap((prefix) => [
      openRoom(textRoutes(prefix, services, keyed)),
      room(`${prefix}/audio`, async () =>
        (await import('./text/audio/audioRoutes.ts')).audioRoutes(prefix, services, keyed),
      ),
      room(`${prefix}/models`, async () =>
        (await import('./text/modelRoutes.ts')).modelRoutes(prefix, services, keyed),
      ),
    ]),
    of('/textapi/v1/realtime /v1/realtime', async () => (await import('./realtime/realtimeRoutes.ts')).realtimeRoutes),
    of('/platform/v1/key /platform/v1/keys', async () => (await import('./keys/keyRoutes.ts')).keyRoutes),
    of('/platform/v1/requests', async () => (await import('./requests/requestRoutes.ts')).requestRoutes),
    of('/platform/v1/requests', async () => (await import('./replay/resumeRoutes.ts')).resumeRoutes),
    of(
      '/platform/v1/overview /platform/v1/explain /platform/v1/usage /platform/v1/models /platform/v1/search',
      async () => (await import('./platform/summaryRoutes.ts')).summaryRoutes,
    ),
    // The balance and the ledger
    of('/platform/v1/billing', async () => (await import('./billing/balanceRoutes.ts')).balanceRoutes),
    of(
      '/platform/v1/requests /platform/v1/keys',
      async () => (await import('./contents/contentRoutes.ts')).contentRoutes,
    ),
    of('/platform/v1/audit_log', async () => (await import('./auditLog/auditLogRoutes.ts')).auditLogRoutes),
    of('/platform/v1/workspace', async () => (await import('./workspaces/workspaceRoutes.ts')).workspaceRoutes),
    of('/platform/v1/billing', async () => (await import('./invoices/invoiceRoutes.ts')).invoiceRoutes),
    of('/platform/v1/alerts', async () => (await import('./alerts/alertRoutes.ts')).alertRoutes),
    of('/platform/v1/flow-rules', async () => (await import('./flow/flowRoutes.ts')).flowRoutes),
    of('/platform/v1/projects', async () => (await import('./projects/projectRoutes.ts')).projectRoutes),
    of('/platform/v1/test_clock', async () => (await import('./testMode/testRoutes.ts')).testRoutes),
    // Payments
    of(
      '/platform/v1/billing /platform/v1/receipts /billing',
      async () => (await import('./billing/paymentRoutes.ts')).paymentRoutes,
    ),
    of(
      '/platform/v1/webhook_endpoints /platform/v1/events',
      async () => (await import('./webhooks/webhookRoutes.ts')).webhookRoutes,
    ),
    ...productRooms(services, keyed),
  ];
}

const VOICE_FAMILIES =
  '/voiceapi/v1/text-to-speech /voiceapi/v1/speech-to-text /voiceapi/v1/speech-to-speech /voiceapi/v1/voice-changer ' +
  '/voiceapi/v1/voices /voiceapi/v2/voices /voiceapi/v1/models /voiceapi/v1/user /voiceapi/v1/history';

/** Runs, voices, files and batches, then what runs read and write, and agents. */
function productRooms(services: Services, keyed: Keyed): Room[] {
  const of = roomMaker(services, keyed);
  return [
    // With the cancellation of a session’s run
    of('/v1/runs /v1/usage /v1/sessions', async () => (await import('./runs/runRoutes.ts')).runRoutes),
    of('/v1/runs', async () => (await import('./runShares/runShareRoutes.ts')).runShareRoutes),
    of('/v1/schedules', async () => (await import('./schedules/scheduleRoutes.ts')).scheduleRoutes),
    of(VOICE_FAMILIES, async () => (await import('./voice/voiceRoutes.ts')).voiceRoutes),
    of(
      '/voiceapi/v1/text-to-speech',
      async () => (await import('./speechInput/speechInputRoutes.ts')).speechInputRoutes,
    ),
    of(
      '/voiceapi/v1/speech-to-text',
      async () => (await import('./liveTranscription/liveTranscriptionRoutes.ts')).liveTranscriptionRoutes,
    ),
    of(
      '/textapi/v1/files /textapi/v1/uploads /v1/files /v1/uploads',
      async () => (await import('./files/fileRoutes.ts')).fileRoutes,
    ),
    of('/textapi/v1/batches /v1/batches', async () => (await import('./batches/batchRoutes.ts')).batchRoutes),
    of('/v1/sessions', async () => (await import('./sessions/sessionRoutes.ts')).sessionRoutes),
    of('/v1/memories', async () => (await import('./memories/memoryRoutes.ts')).memoryRoutes),
    // The plugins' requirements of their callers
    of('/v1/plugins', async () => (await import('./plugins/pluginSecrets.ts')).pluginSecretRoutes),
    of('/v1/plugins', async () => (await import('./plugins/pluginSignIns.ts')).pluginSignInRoutes),
    of('/v1/agents', async () => (await import('./agents/agentRoutes.ts')).agentRoutes),
    of('/v1/mcp', async () => (await import('./agentCalls/mcp/mcpRoutes.ts')).mcpRoutes),
    of('/v1/publisher', async () => (await import('./publisher/publisherRoutes.ts')).publisherRoutes),
    // What publishers see of the runs of their agents, and their alerts
    of('/v1/publisher', async () => (await import('./publishedRuns/publishedRunRoutes.ts')).publishedRunRoutes),
    of('/v1/publisher', async () => (await import('./agentAlerts/agentAlertRoutes.ts')).agentAlertRoutes),
    of('/v1/publisher', async () => (await import('./evaluations/evaluationRoutes.ts')).evaluationRoutes),
  ];
}

/** The console's own routes: keys, then the operators' routes, with a key or signed in. */
function consoleRooms(services: Services, keyed: Keyed): Room[] {
  const of = roomMaker(services, keyed, '/console/v1/');
  return [
    of('keys', async () => (await import('./keys/managedKeyRoutes.ts')).managedKeyRoutes),
    of('members', async () => (await import('./projects/projectRoutes.ts')).memberRoutes),
    of('reviews deployments namespaces agents', async () => (await import('./console/consoleRoutes.ts')).consoleRoutes),
    of(
      'workspaces audit upstreams adjustments payouts',
      async () => (await import('./console/operationsRoutes.ts')).operationsRoutes,
    ),
    of('platform', async () => (await import('./operating/platformRoutes.ts')).platformRoutes),
    of('catalog', async () => (await import('./catalog/catalogRoutes.ts')).catalogRoutes),
    of('catalog', async () => (await import('./starters/starterRoutes.ts')).starterRoutes),
    of('audit-export', async () => (await import('./auditLog/auditLogRoutes.ts')).auditExportRoutes),
    of('platform', async () => (await import('./auditLog/auditLogRoutes.ts')).platformExportRoutes),
    of(
      'single-sign-on session-rules',
      async () => (await import('./singleSignOn/singleSignOnRoutes.ts')).singleSignOnRoutes,
    ),
    of('erasure export', async () => (await import('./console/erasureRoutes.ts')).erasureRoutes),
    of('device', async () => (await import('./deviceLogins/deviceRoutes.ts')).deviceDecisionRoutes),
    // Signing in to plugins
    of('plugins plugin-sign-ins', async () => (await import('./plugins/pluginSignIns.ts')).signingInRoutes),
  ];
}

/** People's accounts, and what programs read without a key. */
function openRooms(services: Services, keyed: Keyed): Room[] {
  return [
    room('/console/v1/me /console/v1/mode /console/v1/auth /console', async () =>
      (await import('./accounts/accountRoutes.ts')).accountRoutes(services),
    ),
    room('/platform/v1/device', async () => (await import('./deviceLogins/deviceRoutes.ts')).deviceRoutes(services)),
    // For pages
    room('/v1/agents', async () => (await import('./agents/agentIcon.ts')).iconRoutes(services)),
    room('/v1/logos', async () => (await import('./workspaces/workspaceRoutes.ts')).logoRoutes(services)),
    room('/voiceapi/v1/voices', async () => (await import('./voice/previewRoutes.ts')).previewRoutes(services)),
    // Agents over A2A, and their cards
    room('/a2a /v1/agents /.well-known', async () =>
      (await import('./agentCalls/a2a/a2aRoutes.ts')).a2aRoutes(services, keyed),
    ),
    room('/clients', async () => (await import('./clients/clientRoutes.ts')).clientRoutes(services)),
    // Data for checking bills
    room('/.well-known', async () => (await import('./billing/wellKnown.ts')).wellKnownRoutes(services)),
    openRoom([
      get('/healthz', [], checkHealth, healthDocs.health),
      get('/readyz', [], checkReadiness(services), healthDocs.readiness),
    ]),
  ];
}
