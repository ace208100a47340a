import { z } from 'zod';
import type { DocumentedRoute, NamedSchema, RouteDoc } from './documentedRoute.ts';
import {
  BODY_ERRORS,
  errorResponses,
  ErrorAnswer,
  header,
  HEADER_NAMES,
  headerRefs,
  HEADERS,
  KEYED_ERRORS,
  PUBLIC_ERRORS,
  SECURITY_SCHEMES,
  type ErrorStatus,
} from './sharedParts.ts';

type JsonObject = Record<string, unknown>;

/** An operation of the document, as far as the page reads it. */
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: JsonObject[];
  parameters?: { name: string; in: string; required: boolean; schema: JsonObject }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonObject; example: unknown }> };
  responses: Record<string, JsonObject>;
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  security: JsonObject[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonObject>;
    responses: Record<string, JsonObject>;
    headers: JsonObject;
    securitySchemes: JsonObject;
  };
}

/** A route that is shown. */
type ShownRoute = DocumentedRoute & { doc: RouteDoc };

/**
 * The OpenAPI 3.1 document of a route table. Bodies are described by the schemas that validate them, so the document
 * cannot promise what the routes refuse. `version` is the date of the interface, `baseUrl` where it is served.
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
      responses: errorResponses([...new Set(shown.flatMap(({ doc }) => errorsOf(doc)))]),
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
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route);
  }
  return paths;
}

function operationOf({ method, path, doc }: ShownRoute): Operation {
  const parameters = [
    ...pathParameters(path),
    ...fieldParameters(doc.query, 'query'),
    ...fieldParameters(doc.headers, 'header'),
  ];
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/\W+/g, '_')}`,
    tags: [doc.tag],
    summary: doc.summary,
    ...(doc.description !== undefined && { description: doc.description }),
    ...(doc.isPublic && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...((doc.input ?? doc.form) && { requestBody: requestBodyOf(doc) }),
    responses: { ...answersOf(doc), ...refusalsOf(doc) },
  };
}

function pathParameters(path: string): NonNullable<Operation['parameters']> {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name: name!,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function fieldParameters(fields: z.ZodObject | undefined, place: string): NonNullable<Operation['parameters']> {
  return Object.entries(fields?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: !z.safeParse(schema, undefined).success,
    schema: bare(z.toJSONSchema(schema, { io: 'input' })),
  }));
}

function requestBodyOf({ input, form }: RouteDoc): NonNullable<Operation['requestBody']> {
  const content = {
    ...(form && { 'multipart/form-data': { schema: schemaRef(form.id), example: form.example } }),
    ...(input && { 'application/json': { schema: schemaRef(input.id), example: input.example } }),
  };
  return { required: !input?.isOptional, content };
}

function answersOf(doc: RouteDoc): Record<string, JsonObject> {
  const { statuses = [200], stream } = doc;
  return Object.fromEntries(
    statuses.map((status) => {
      const described = {
        description: BODILESS[status] ?? stream?.when ?? 'The answer.',
        headers: answerHeadersOf(doc),
      };
      return [String(status), BODILESS[status] ? described : { ...described, content: contentOf(doc) }];
    }),
  );
}

const BODILESS: Partial<Record<number, string>> = {
  204: 'Done: there is nothing to say.',
  304: 'It is what is known already.',
};

function answerHeadersOf({ answerHeaders = {}, headers, isPublic, errors }: RouteDoc): JsonObject {
  const names = HEADER_NAMES.filter((name) => {
    // Told where a model answers: what a run costs is in the run.
    if (name === 'x-cost-usd') return errors.includes(502);
    return !isPublic || !name.startsWith('x-ratelimit-');
  });
  const own = Object.entries(answerHeaders).map(([name, tells]) => [name, header(tells)] as const);
  const replayed = headers && 'Idempotency-Key' in headers.shape ? { 'idempotent-replayed': header(REPLAYED) } : {};
  return { ...headerRefs(names), ...Object.fromEntries(own), ...replayed };
}

const REPLAYED = '`true` when this is the answer to an earlier request with the same `Idempotency-Key`.';

function contentOf({ answer, alsoAs = [], stream }: RouteDoc): JsonObject {
  return {
    ...(answer ? { 'application/json': { schema: schemaRef(answer.id) } } : BYTES),
    ...Object.fromEntries(alsoAs.map((type) => [type, { schema: { type: 'string' } }])),
    ...(stream && { 'text/event-stream': { schema: schemaRef(stream.event.id) } }),
  };
}

const BYTES = { '*/*': { schema: { type: 'string', format: 'binary' } } };

function refusalsOf(doc: RouteDoc): Record<string, JsonObject> {
  return Object.fromEntries(
    errorsOf(doc).map((status) => [String(status), { $ref: `#/components/responses/Error${status}` }]),
  );
}

function errorsOf({ isPublic, input, form, errors }: RouteDoc): ErrorStatus[] {
  return [...(isPublic ? PUBLIC_ERRORS : KEYED_ERRORS), ...(input || form ? BODY_ERRORS : []), ...errors];
}

const SCHEMAS = '#/components/schemas/';

const schemaRef = (id: string) => ({ $ref: `${SCHEMAS}${id}` });

/** Every schema the routes name, once, referring to each other by name. */
function schemasOf(routes: ShownRoute[]): Record<string, JsonObject> {
  const registry = z.registry<{ id: string }>();
  for (const { id, schema } of [ErrorAnswer, ...routes.flatMap(({ doc }) => namedSchemas(doc))]) {
    if (!registry.has(schema)) registry.add(schema, { id });
  }
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => `${SCHEMAS}${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, bare(schema)]));
}

function namedSchemas({ input, form, answer, stream }: RouteDoc): NamedSchema[] {
  return [input, form, answer, stream?.event].filter((schema) => schema !== undefined);
}

/** A schema inside the document has neither a dialect nor an address of its own. */
function bare(schema: object): JsonObject {
  const { $schema: _dialect, $id: _address, '~standard': _tools, ...rest } = schema as JsonObject;
  return rest;
}
