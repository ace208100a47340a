import { z } from 'zod';
import type { NamedSchema, RouteDoc } from '../documentedRoute.ts';
import { ErrorAnswer } from './errorResponses.ts';
import type { JsonObject } from './openApiDocument.ts';

const SCHEMAS = '#/components/schemas/';

/** A reference to a schema by its name. */
export const schemaRef = (id: string) => ({ $ref: `${SCHEMAS}${id}` });

/** Every schema the routes name, once, referring to each other by name. */
export function schemasOf(routes: { doc: RouteDoc }[]): Record<string, JsonObject> {
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
export function bare(schema: object): JsonObject {
  const { $schema: _dialect, $id: _address, '~standard': _tools, ...rest } = schema as JsonObject;
  return rest;
}
