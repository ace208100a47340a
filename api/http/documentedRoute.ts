import { z } from 'zod';
import type { ErrorStatus } from '../../base/errors/apiError.ts';

/** A schema with its own name in the document. */
export interface NamedSchema {
  id: string;
  schema: z.ZodType;
  /** Schemas inside of it that have names of their own. */
  parts?: readonly NamedSchema[];
}

/** The documentation of a route. */
export interface RouteDoc {
  /** The group under which it is listed. */
  tag: string;
  summary: string;
  /** Plain sentences: Markdown is not rendered. */
  description?: string;
  /** A model answers, so the call costs money and may be refused with 402. */
  isPaid?: boolean;
  query?: z.ZodObject;
  /** Request headers beyond those of every route. */
  headers?: z.ZodObject;
  /** The schema that validates the JSON body, and an example that works when pasted. */
  input?: NamedSchema & { example: unknown; isOptional?: true };
  /** The schema of a multipart form that carries a file, alone or beside `input`, and fields for an example. */
  form?: NamedSchema & { example: Record<string, string> };
  /** Left out when the answer is the bytes of a file. */
  answer?: NamedSchema;
  /** Each line of the answer is one object of this schema. */
  isInLines?: true;
  /** Statuses of a successful answer; 200 when left out. 204 and 304 have no body. */
  statuses?: readonly (200 | 201 | 202 | 204 | 206 | 304)[];
  /** Other media types, all text, in which the caller may request the answer. */
  alsoAs?: readonly string[];
  /** Descriptions of the success headers, by name, beyond those of every route. */
  answerHeaders?: Readonly<Record<string, string>>;
  /** The route can answer as server-sent events; `event` is the JSON of one. */
  stream?: { when: string; event: NamedSchema };
  /** Of a protocol whose errors have a form of their own. */
  errorForm?: {
    body: NamedSchema;
    /** Statuses of each of its routes, and those that stand for ours. */
    statuses: readonly ErrorStatus[];
    insteadOf: Partial<Record<ErrorStatus, ErrorStatus>>;
  };
  /** Error statuses that do not follow from the route's guards, path, form, headers or `isPaid`. */
  errors?: readonly ErrorStatus[];
}

/** The part of a route that the document reads. A route without `doc` is not shown. */
export interface DocumentedRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in the router's form: `/v1/models/:id`. */
  path: string;
  doc?: RouteDoc;
  guards: readonly { readonly refusals: readonly ErrorStatus[] }[];
}

/** A page of a list in the platform's own form; the two vendors' families have other forms. */
export const pageOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.object({
    object: z.literal('list'),
    data: z.array(entry),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  });

/** A page of a list. `nextCursor` starts the next page; null on the last page. */
export const presentPage = <Entry>(data: Entry[], nextCursor: string | null) => ({
  object: 'list' as const,
  data,
  has_more: nextCursor !== null,
  next_cursor: nextCursor,
});
