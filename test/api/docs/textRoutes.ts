import type { Database } from '../../../db/database.ts';
import { buildOpenApi } from '../../../api/docs/openapi/openapi.ts';
import { key, keyedBy } from '../../../api/guard/key.ts';
import { rate, type Limits } from '../../../api/guard/rate.ts';
import { realtimeRoutes } from '../../../api/realtime/realtimeRoutes.ts';
import type { Services } from '../../../api/services.ts';
import { modelDocs, modelRoutes } from '../../../api/text/modelRoutes.ts';
import { textDocs } from '../../../api/text/textDocs.ts';
import { textRoutes } from '../../../api/text/textRoutes.ts';

export const docs = { ...textDocs({ modelId: 'swift', embeddingModelId: 'vectors' }), ...modelDocs };

// Handlers and guards are created, but never called.
const models = [
  { id: 'swift', kind: 'text' },
  { id: 'vectors', kind: 'embedding' },
];
const services = { catalog: { models } } as unknown as Services;
const keyed = keyedBy(key({} as Database), rate({} as Limits));

/** The limits of an installation without a model. */
export const installation = {
  models: [],
  defaultRpmLimit: 600,
  defaultConcurrencyLimit: 20,
  openRunsMax: 100,
  submissionsPerDayMax: 20,
};

/** The text family and its client secrets under their path and its alias, without audio. */
export const routes = [
  ...['/textapi/v1', '/v1'].flatMap((prefix) => [
    ...textRoutes(prefix, services, keyed),
    ...modelRoutes(prefix, services, keyed),
  ]),
  ...realtimeRoutes(services, keyed),
];

export const document = buildOpenApi(routes, { version: '2026-01-01', baseUrl: 'http://127.0.0.1:8080' });
