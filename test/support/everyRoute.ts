import { buildOpenApi } from '../../api/docs/openapi/openapi.ts';
import { createRoutes } from '../../api/routes.ts';
import type { Services } from '../../api/services.ts';

const PUBLIC_URL = 'http://127.0.0.1:8080';

// Handlers are created, but never called.
const services = { db: {}, limits: {}, catalog: { models: [] }, config: { publicUrl: PUBLIC_URL, signIn: [] } };

/** Every route of the API, without its services. */
export const routes = await createRoutes(services as unknown as Services).all();

/** The OpenAPI document of these routes. */
export const documentOf = (some: typeof routes, baseUrl = PUBLIC_URL) =>
  buildOpenApi(some, { version: '2026-01-01', baseUrl });
