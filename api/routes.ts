import { body } from './guard/body.ts';
import { key } from './guard/key.ts';
import { query } from './guard/query.ts';
import { rate } from './guard/rate.ts';
import { scope } from './guard/scope.ts';
import { LedgerQuery, listLedger, retrieveBalance } from './platform/billing.ts';
import { checkHealth, checkReadiness } from './platform/health.ts';
import { inspectKey, listKeys } from './platform/keys.ts';
import { retrieveRequest } from './platform/requests.ts';
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

/** Every URL on one line: method, path, guards in the order in which they run, handler. */
export function createRoutes(services: Services): Route[] {
  const keyed = key(services.db.keys);
  const limited = rate(services.limits);
  const text = [keyed, scope('llm')];
  const textFamily = (prefix: string): Route[] => [
    {
      method: 'POST',
      path: `${prefix}/chat/completions`,
      guards: [...text, body(parseChat), limited],
      handler: createChatCompletion(services),
    },
    {
      method: 'POST',
      path: `${prefix}/completions`,
      guards: [...text, body(parseCompletions), limited],
      handler: createCompletion(services),
    },
    {
      method: 'POST',
      path: `${prefix}/responses`,
      guards: [...text, body(parseResponses), limited],
      handler: createResponse(services),
    },
    {
      method: 'POST',
      path: `${prefix}/embeddings`,
      guards: [...text, body(parseEmbeddings), limited],
      handler: createEmbeddings(services),
    },
    { method: 'GET', path: `${prefix}/models`, guards: [keyed, limited], handler: listModels(services) },
    { method: 'GET', path: `${prefix}/models/:id`, guards: [keyed, limited], handler: retrieveModel(services) },
  ];
  const account = [keyed, limited];
  const platformFamily: Route[] = [
    { method: 'GET', path: '/platform/v1/key', guards: account, handler: inspectKey(services) },
    { method: 'GET', path: '/platform/v1/keys', guards: account, handler: listKeys(services) },
    { method: 'GET', path: '/platform/v1/requests/:request_id', guards: account, handler: retrieveRequest(services) },
    { method: 'GET', path: '/platform/v1/billing/balance', guards: account, handler: retrieveBalance(services) },
    {
      method: 'GET',
      path: '/platform/v1/billing/ledger',
      guards: [keyed, query(LedgerQuery), limited],
      handler: listLedger(services),
    },
  ];
  return [
    ...textFamily('/textapi/v1'),
    ...textFamily('/v1'),
    ...platformFamily,
    { method: 'GET', path: '/healthz', guards: [], handler: checkHealth },
    { method: 'GET', path: '/readyz', guards: [], handler: checkReadiness(services) },
  ];
}
