import { agentFiles, openAiFiles, type FileFamily } from './agents/fileFamily.ts';
import { retrieveFileContent } from './agents/fileContent.ts';
import { createFile, deleteFile, FileListQuery, listFiles, retrieveFile } from './agents/files.ts';
import { EntryChangeBody } from './agents/newEntry.ts';
import {
  changeSessionFile,
  createSessionFile,
  deleteSessionFile,
  listSessionFiles,
  SessionFileListQuery,
} from './agents/sessionFiles.ts';
import {
  createSession,
  deleteSession,
  listSessions,
  NewSessionBody,
  retrieveSession,
  SessionListQuery,
} from './agents/sessions.ts';
import { EventsQuery, listRunEvents } from './agents/events.ts';
import { runRoutes } from './agents/runRoutes.ts';
import { eventDocs } from './docs/eventDocs.ts';
import { platformDocs } from './docs/platformDocs.ts';
import { serveDocs } from './docs/serveDocs.ts';
import { textDocs } from './docs/textDocs.ts';
import { consoleRoutes } from './console/consoleRoutes.ts';
import { publisherRoutes } from './publisher/publisherRoutes.ts';
import { body } from './guard/body.ts';
import { key } from './guard/key.ts';
import { idempotent } from './guard/idempotency.ts';
import { parseBody, parseWith } from './guard/parseWith.ts';
import { query } from './guard/query.ts';
import { rate } from './guard/rate.ts';
import { productScope, scope } from './guard/scope.ts';
import { LedgerQuery, listLedger, retrieveBalance } from './platform/billing.ts';
import { retrieveEvent } from './platform/events.ts';
import { checkHealth, checkReadiness } from './platform/health.ts';
import { inspectKey, listKeys } from './platform/keys.ts';
import { retrieveRequest } from './platform/requests.ts';
import { get, patch, post, remove } from './route.ts';
import type { Route } from './router.ts';
import type { Services } from './services.ts';
import { createChatCompletion } from './text/chat.ts';
import { createCompletion } from './text/completions.ts';
import { createEmbeddings } from './text/embeddings.ts';
import { listModels, retrieveModel } from './text/models.ts';
import { createResponse } from './text/responses.ts';
import { parseChat } from './text/schema/chat.ts';
import { parseCompletions } from './text/schema/completions.ts';
import { parseEmbeddings } from './text/schema/embeddings.ts';
import { parseResponses } from './text/schema/responses.ts';

/** Every URL on one line: method, path, guards in the order in which they run, handler, and what the documentation says. */
export function createRoutes(services: Services): Route[] {
  const keyed = key(services.db.keys);
  const limited = rate(services.limits);
  const llm = (parse: (value: unknown) => unknown) => [keyed, scope('llm'), body(parse), limited];
  const free = [keyed, limited];
  const about = {
    ...textDocs(exampleModels(services)),
    ...platformDocs({ ledgerQuery: LedgerQuery }),
    ...eventDocs(EventsQuery),
  };

  const textFamily = (prefix: string): Route[] => [
    post(`${prefix}/chat/completions`, llm(parseChat), createChatCompletion(services), about.chat),
    post(`${prefix}/completions`, llm(parseCompletions), createCompletion(services), about.completions),
    post(`${prefix}/responses`, llm(parseResponses), createResponse(services), about.responses),
    post(`${prefix}/embeddings`, llm(parseEmbeddings), createEmbeddings(services), about.embeddings),
    get(`${prefix}/models`, free, listModels(services), about.listModels),
    get(`${prefix}/models/:id`, free, retrieveModel(services), about.retrieveModel),
  ];
  const anyProduct = [keyed, productScope()];
  const filesAt = (prefix: string, family: FileFamily): Route[] => [
    post(`${prefix}/files`, [...anyProduct, limited], createFile(services, family)),
    get(`${prefix}/files`, [...anyProduct, query(FileListQuery), limited], listFiles(services, family)),
    get(`${prefix}/files/:file_id`, [...anyProduct, limited], retrieveFile(services, family)),
    get(`${prefix}/files/:file_id/content`, [...anyProduct, limited], retrieveFileContent(services)),
    remove(`${prefix}/files/:file_id`, [...anyProduct, limited], deleteFile(services)),
  ];
  const agents = [keyed, scope('agents')];
  const newSession = [...agents, body(parseBody(NewSessionBody)), limited, idempotent(services.db, 'ses')];
  const sessionRoutes = [
    post('/v1/sessions', newSession, createSession(services)),
    get('/v1/sessions', [...agents, query(SessionListQuery), limited], listSessions(services)),
    get('/v1/sessions/:session_id', [...agents, limited], retrieveSession(services)),
    remove('/v1/sessions/:session_id', [...agents, limited], deleteSession(services)),
    get(
      '/v1/sessions/:session_id/files',
      [...agents, query(SessionFileListQuery), limited],
      listSessionFiles(services),
    ),
    post('/v1/sessions/:session_id/files', [...agents, limited], createSessionFile(services)),
    patch(
      '/v1/sessions/:session_id/files/:entry_id',
      [...agents, body(parseWith(EntryChangeBody, 'body')), limited],
      changeSessionFile(services),
    ),
    remove('/v1/sessions/:session_id/files/:entry_id', [...agents, limited], deleteSessionFile(services)),
  ];
  const routes = [
    ...textFamily('/textapi/v1'),
    ...textFamily('/v1'),
    get('/platform/v1/key', free, inspectKey(services), about.inspectKey),
    get('/platform/v1/keys', free, listKeys(services), about.listKeys),
    get('/platform/v1/requests/:request_id', free, retrieveRequest(services), about.retrieveRequest),
    get('/platform/v1/billing/balance', free, retrieveBalance(services), about.retrieveBalance),
    get('/platform/v1/billing/ledger', [keyed, query(LedgerQuery), limited], listLedger(services), about.listLedger),
    get('/platform/v1/events/:event_id', free, retrieveEvent(services), about.retrieveEvent),
    get('/v1/runs/:run_id/events', [keyed, query(EventsQuery), limited], listRunEvents(services), about.listRunEvents),
    ...filesAt('/textapi/v1', openAiFiles),
    ...filesAt('/v1', agentFiles),
    ...sessionRoutes,
    ...runRoutes(services, { keyed, limited }),
    ...publisherRoutes(services, { keyed, limited }),
    ...consoleRoutes(services, { keyed, limited }),
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
