import { z } from 'zod';
import type { DocumentedRoute, RouteDoc } from '../documentedRoute.ts';
import {
  BODY_ERRORS,
  KEYED_ERRORS,
  PUBLIC_ERRORS,
  type ErrorStatus,
  header,
  headerRefs,
  HEADER_NAMES,
} from './errorResponses.ts';
import { type JsonObject, type Operation, bare, schemaRef } from './schemas.ts';

/** A route that is shown. */
export type ShownRoute = DocumentedRoute & { doc: RouteDoc };

/** What the document says of one route: its parameters and body, its answers, and how it refuses. */
export function operationOf({ method, path, doc }: ShownRoute): Operation {
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
    if (name === 'x-cost-usd' || name === 'x-truncated') return errors.includes(502);
    return !isPublic || !name.startsWith('x-ratelimit-');
  });
  const own = Object.entries(answerHeaders).map(([name, tells]) => [name, header(tells)] as const);
  const replayed = headers && 'Idempotency-Key' in headers.shape ? { 'idempotent-replayed': header(REPLAYED) } : {};
  return { ...headerRefs(names), ...Object.fromEntries(own), ...replayed };
}

const REPLAYED = '`true` when this is the answer to an earlier request with the same `Idempotency-Key`.';

function contentOf({ answer, isInLines, alsoAs = [], stream }: RouteDoc): JsonObject {
  return {
    ...(answer ? { [isInLines ? 'application/jsonl' : 'application/json']: { schema: schemaRef(answer.id) } } : BYTES),
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

/** The statuses with which a route may refuse: its own, and those of all routes of its kind. */
export function errorsOf({ isPublic, input, form, errors }: RouteDoc): ErrorStatus[] {
  return [...(isPublic ? PUBLIC_ERRORS : KEYED_ERRORS), ...(input || form ? BODY_ERRORS : []), ...errors];
}
