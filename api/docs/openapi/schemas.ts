import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { NamedSchema, RouteDoc } from '../../http/documentedRoute.ts';
import { ErrorAnswer } from './errorResponses.ts';

const SCHEMAS = '#/components/schemas/';

/** A reference to a schema by its name. */
export const schemaRef = (id: string) => ({ $ref: `${SCHEMAS}${id}` });

/** Answers of the service, by schema name. Tests compare them with the schemas. */
const EXAMPLES = JSON.parse(readFileSync(new URL('examples.json', import.meta.url), 'utf8')) as JsonObject;

/** A reference to a schema by its name, with an example if available. */
export const exampledRef = (id: string) => ({
  schema: schemaRef(id),
  ...(EXAMPLES[id] !== undefined && { example: EXAMPLES[id] }),
});

/** All schemas of the routes, once each, with references between them. */
export function schemasOf(routes: { doc: RouteDoc }[]): Record<string, JsonObject> {
  const registry = z.registry<{ id: string }>();
  for (const { id, schema } of [ErrorAnswer, ...routes.flatMap(({ doc }) => namedSchemas(doc))]) {
    if (!registry.has(schema)) registry.add(schema, { id });
  }
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: (id) => `${SCHEMAS}${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, bare(schema)]));
}

function namedSchemas({ input, form, answer, stream, errorForm }: RouteDoc): NamedSchema[] {
  const named = [input, form, answer, stream?.event, errorForm?.body].filter((schema) => schema !== undefined);
  return named.flatMap((schema) => [schema, ...(schema.parts ?? [])]);
}

/** Schemas inside the document have no dialect or address of their own. */
export function bare(schema: object): JsonObject {
  const { $schema: _dialect, $id: _address, '~standard': _tools, ...rest } = schema as JsonObject;
  return rest;
}

export type JsonObject = Record<string, unknown>;

/** An operation of the document, as far as the page reads it. */
export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: JsonObject[];
  parameters?: { name: string; in: string; required: boolean; style?: string; explode?: boolean; schema: JsonObject }[];
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
