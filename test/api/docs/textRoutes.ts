import type { DocumentedRoute } from '../../../api/docs/documentedRoute.ts';
import { buildOpenApi } from '../../../api/docs/openapi/openapi.ts';
import { textDocs } from '../../../api/text/textDocs.ts';

export const docs = textDocs({ modelId: 'swift', embeddingModelId: 'vectors' });

/** The text family under its path and its alias, as a route table has it. */
export const routes: DocumentedRoute[] = ['/textapi/v1', '/v1'].flatMap((prefix): DocumentedRoute[] => [
  { method: 'POST', path: `${prefix}/chat/completions`, doc: docs.chat },
  { method: 'POST', path: `${prefix}/completions`, doc: docs.completions },
  { method: 'POST', path: `${prefix}/responses`, doc: docs.responses },
  { method: 'POST', path: `${prefix}/embeddings`, doc: docs.embeddings },
  { method: 'GET', path: `${prefix}/models`, doc: docs.listModels },
  { method: 'GET', path: `${prefix}/models/:id`, doc: docs.retrieveModel },
]);

export const document = buildOpenApi(routes, { version: '2026-01-01', baseUrl: 'http://127.0.0.1:8080' });
