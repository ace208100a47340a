import { agentRoutes } from './agents/agentRoutes.ts';
import { fileRoutes } from './files/fileRoutes.ts';
import { runRoutes } from './runs/runRoutes.ts';
import { sessionRoutes } from './sessions/sessionRoutes.ts';
import { platformDocs } from './platform/platformDocs.ts';
import { serveDocs } from './docs/serveDocs.ts';
import { textDocs } from './text/textDocs.ts';
import { consoleRoutes } from './console/consoleRoutes.ts';
import { publisherRoutes } from './publisher/publisherRoutes.ts';
import { textBody, MEDIA_BODY, TOKENS_BODY, type BodyLimits } from './guard/body.ts';
import { key } from './guard/key.ts';
import { keyedBy } from './guard/keyed.ts';
import { query } from './guard/query.ts';
import { rate } from './guard/rate.ts';
import { scope } from './guard/scope.ts';
import { LedgerQuery, listLedger, retrieveBalance } from './platform/billing.ts';
import { retrieveEvent } from './platform/events.ts';
import { checkHealth, checkReadiness } from './platform/health.ts';
import { inspectKey, listKeys } from './platform/keys.ts';
import { retrieveRequest } from './platform/requests.ts';
import { get, post } from './http/route.ts';
import type { Route } from './http/router.ts';
import type { Services } from './services.ts';
import { audioRoutes } from './text/audioRoutes.ts';
import { createChatCompletion } from './text/chat.ts';
import { createCompletion } from './text/completions.ts';
import { createEmbeddings } from './text/embeddings.ts';
import { listModels, retrieveModel } from './text/models.ts';
import { createResponse } from './text/responses.ts';
import { parseChat } from './text/schema/chat.ts';
import { parseCompletions } from './text/schema/completions.ts';
import { parseEmbeddings } from './text/schema/embeddings.ts';
import { parseResponses } from './text/schema/responses.ts';
import { voiceRoutes } from './voice/voiceRoutes.ts';

/**
 * Every URL on one line: method, path, guards in the order in which they run, handler, and what the documentation says. A family with many
 * has its lines in its own folder; what its URLs begin with stands above it.
 */
export function createRoutes(services: Services): Route[] {
  const keyed = keyedBy(key(services.db.keys), rate(services.limits));
  const llm = (parse: (value: unknown) => unknown, limits: BodyLimits) => keyed(scope('llm'), textBody(parse, limits));
  const free = keyed();
  const about = {
    ...textDocs(exampleModels(services)),
    ...platformDocs({ ledgerQuery: LedgerQuery }),
  };

  const textFamily = (prefix: string): Route[] => [
    post(`${prefix}/chat/completions`, llm(parseChat, MEDIA_BODY), createChatCompletion(services), about.chat),
    post(`${prefix}/completions`, llm(parseCompletions, TOKENS_BODY), createCompletion(services), about.completions),
    post(`${prefix}/responses`, llm(parseResponses, MEDIA_BODY), createResponse(services), about.responses),
    post(`${prefix}/embeddings`, llm(parseEmbeddings, TOKENS_BODY), createEmbeddings(services), about.embeddings),
    get(`${prefix}/models`, free, listModels(services), about.listModels),
    get(`${prefix}/models/:id`, free, retrieveModel(services), about.retrieveModel),
  ];
  const routes = [
    ...textFamily('/textapi/v1'),
    ...textFamily('/v1'),
    get('/platform/v1/key', free, inspectKey(services), about.inspectKey),
    get('/platform/v1/keys', free, listKeys(services), about.listKeys),
    get('/platform/v1/requests/:request_id', free, retrieveRequest(services), about.retrieveRequest),
    get('/platform/v1/billing/balance', free, retrieveBalance(services), about.retrieveBalance),
    get('/platform/v1/billing/ledger', keyed(query(LedgerQuery)), listLedger(services), about.listLedger),
    get('/platform/v1/events/:event_id', free, retrieveEvent(services), about.retrieveEvent),
    // /v1/runs, /v1/usage, and the cancellation of a session’s run
    ...runRoutes(services, keyed),
    // /textapi/v1/audio, /v1/audio
    ...audioRoutes(services, keyed),
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

// Examples name models that this installation has.
function exampleModels({ catalog }: Services): { modelId: string; embeddingModelId: string } {
  const first = (kind: string) => catalog.models.find((model) => model.kind === kind)?.id ?? 'none';
  return { modelId: first('text'), embeddingModelId: first('embedding') };
}
