import { z } from 'zod';
import type { ErrorStatus } from '../../../base/errors/apiError.ts';
import { isPathId } from '../../body/parseWith.ts';
import type { DocumentedRoute, RouteDoc } from '../../http/documentedRoute.ts';
import { errorResponse, header, headerRefs, HEADER_NAMES } from './errorResponses.ts';
import { type JsonObject, type Operation, bare, exampledRef, schemaRef } from './schemas.ts';

/** A documented route. */
export type ShownRoute = DocumentedRoute & { doc: RouteDoc };

/** The document's entry for one route: parameters, body, answers and errors. */
export function operationOf(route: ShownRoute): Operation {
  const { method, path, doc } = route;
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
    ...(!needsKey(route) && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...((doc.input ?? doc.form) && { requestBody: requestBodyOf(doc) }),
    responses: { ...answersOf(route), ...refusalsOf(route) },
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
  return Object.entries(fields?.shape ?? {}).map(([name, field]) => {
    const schema = bare(z.toJSONSchema(field, { io: 'input' }));
    return {
      name,
      in: place,
      required: !z.safeParse(field, undefined).success,
      ...(schema.type === 'object' && { style: 'deepObject', explode: true }),
      schema,
    };
  });
}

function requestBodyOf({ input, form }: RouteDoc): NonNullable<Operation['requestBody']> {
  const content = {
    ...(form && { 'multipart/form-data': { schema: schemaRef(form.id), example: form.example } }),
    ...(input && { 'application/json': { schema: schemaRef(input.id), example: input.example } }),
  };
  return { required: !input?.isOptional, content };
}

function answersOf(route: ShownRoute): Record<string, JsonObject> {
  const { statuses = [200], stream } = route.doc;
  return Object.fromEntries(
    statuses.map((status) => {
      const described = {
        description: BODILESS[status] ?? stream?.when ?? 'The answer.',
        headers: answerHeadersOf(route),
      };
      return [String(status), BODILESS[status] ? described : { ...described, content: contentOf(route.doc) }];
    }),
  );
}

const BODILESS: Partial<Record<number, string>> = {
  204: 'Done: there is nothing to say.',
  304: 'It is what is known already.',
};

function answerHeadersOf(route: ShownRoute): JsonObject {
  const { answerHeaders = {}, headers, isPaid } = route.doc;
  const names = HEADER_NAMES.filter((name) => {
    // A run's cost is in the run.
    if (name === 'x-cost-usd' || name === 'x-truncated') return isPaid;
    return needsKey(route) || !name.startsWith('x-ratelimit-');
  });
  const replayed = headers && 'Idempotency-Key' in headers.shape ? { 'idempotent-replayed': header(REPLAYED) } : {};
  return { ...headerRefs(names), ...described(answerHeaders), ...replayed };
}

const described = (headers: RouteDoc['answerHeaders'] = {}): JsonObject =>
  Object.fromEntries(Object.entries(headers).map(([name, description]) => [name, header(description)]));

const REPLAYED = '`true` when this is the answer to an earlier request with the same `Idempotency-Key`.';

function contentOf({ answer, isInLines, alsoAs = [], stream }: RouteDoc): JsonObject {
  return {
    ...(answer ? { [isInLines ? 'application/jsonl' : 'application/json']: exampledRef(answer.id) } : BYTES),
    ...Object.fromEntries(alsoAs.map((type) => [type, { schema: { type: 'string' } }])),
    ...(stream && { 'text/event-stream': { schema: schemaRef(stream.event.id) } }),
  };
}

const BYTES = { '*/*': { schema: { type: 'string', format: 'binary' } } };

function refusalsOf(route: ShownRoute): Record<string, JsonObject> {
  const { errorForm, answerHeaders } = route.doc;
  return Object.fromEntries(
    errorsOf(route).map((status) => [
      String(status),
      errorForm
        ? errorResponse(status, { bodyId: errorForm.body.id, headers: described(answerHeaders) })
        : { $ref: `#/components/responses/Error${status}` },
    ]),
  );
}

/** Whether a route requires an API key. */
const needsKey = ({ guards }: ShownRoute): boolean => guards.some(({ refusals }) => refusals.includes(401));

/** The error statuses of a route: from its guards, its input, paid calls, and its documentation. */
export function errorsOf(route: ShownRoute): ErrorStatus[] {
  const { path, guards, doc } = route;
  const { form, headers, isPaid, errorForm, errors = [] } = doc;
  const derived = guards.flatMap(({ refusals }) => refusals);
  return [
    ...new Set([
      500,
      503,
      ...derived,
      // A key may be limited to some addresses.
      ...(needsKey(route) ? ([403] as const) : []),
      ...errorsOfPath(path),
      ...errorsOfHeaders(headers),
      ...(form ? FORM_ERRORS : []),
      ...(isPaid ? PAID_ERRORS : []),
      ...(errorForm?.statuses ?? []),
      ...errors,
    ] as const),
  ].map((status) => errorForm?.insteadOf[status] ?? status);
}

// The upstream may refuse the request, and the model may be unknown.
const PAID_ERRORS = [400, 402, 404, 429, 502, 504] as const;
// Handlers read forms themselves.
const FORM_ERRORS = [400, 413, 415, 422] as const;

function errorsOfPath(path: string): ErrorStatus[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  if (names.length === 0) return [];
  return names.some(isPathId) ? [404, 422] : [404];
}

function errorsOfHeaders(headers: z.ZodObject | undefined): ErrorStatus[] {
  const tag = headers?.shape['If-Match'];
  if (!tag) return [];
  return z.safeParse(tag, undefined).success ? [412, 422] : [412, 422, 428];
}
