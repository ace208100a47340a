import { urlOf } from '../../http/router.ts';
import type { DocumentedRoute } from '../../http/documentedRoute.ts';
import { errorResponses, HEADERS } from './errorResponses.ts';
import { errorsOf, operationOf, type ShownRoute } from './operation.ts';
import { type OpenApiDocument, schemasOf } from './schemas.ts';

/**
 * The OpenAPI 3.1 document of a route table. Bodies are described by the schemas that validate them, so document and routes agree.
 * `version` is the interface's date, `baseUrl` its public address.
 */
export function buildOpenApi(
  routes: readonly DocumentedRoute[],
  { version, baseUrl }: { version: string; baseUrl: string },
): OpenApiDocument {
  const shown = routes.filter((route): route is ShownRoute => route.doc !== undefined);
  return {
    openapi: '3.1.0',
    info: { title: 'Ledgerline API', version, description: DESCRIPTION },
    servers: [{ url: baseUrl }],
    security: Object.keys(SECURITY_SCHEMES).map((name) => ({ [name]: [] })),
    tags: [...new Set(shown.map(({ doc }) => doc.tag))].map((name) => ({ name })),
    paths: pathsOf(shown),
    components: {
      schemas: schemasOf(shown),
      responses: errorResponses([...new Set(shown.flatMap(errorsOf))]),
      headers: HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const DESCRIPTION =
  'AI products against a prepaid balance. The text family speaks the OpenAI protocol: point an official client at ' +
  '`/textapi/v1` (or its alias `/v1`) at this address and give it an API key. The voice family at ' +
  '`/voiceapi` speaks that of ElevenLabs. Agents are run, and published, under `/v1`. A parameter sent as null counts as not sent. ' +
  'A parameter whose omission would change the meaning of the answer is refused, never dropped; all others reach the model unchanged.';

function pathsOf(routes: ShownRoute[]): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const path = urlOf(route.path, (name) => `{${name}}`);
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  }
  return paths;
}

/** The ways to send a key. Every route accepts all of them. */
const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY>' },
  xApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'x-api-key: <API_KEY>' },
  xiApiKey: { type: 'apiKey', in: 'header', name: 'xi-api-key', description: 'xi-api-key: <API_KEY>' },
};
