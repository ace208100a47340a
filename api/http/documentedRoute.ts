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
  /** The group in the navigation. */
  tag: string;
  summary: string;
  /** Plain sentences: Markdown is not rendered. */
  description?: string;
  /** A paid call of a model, which may be refused with 402. */
  isPaid?: boolean;
  query?: z.ZodObject;
  /** Request headers beyond those of every route. */
  headers?: z.ZodObject;
  /** The schema that validates the JSON body, and an example that works when pasted. */
  input?: NamedSchema & { example: unknown; isOptional?: true };
  /** The schema of a multipart form that carries a file, alone or beside `input`, and fields for an example. */
  form?: NamedSchema & { example: Record<string, string> };
  /** Omitted when the answer is a file's bytes. */
  answer?: NamedSchema;
  /** The answer is JSON lines, each an object of this schema. */
  isInLines?: true;
  /** Statuses of a successful answer; default 200. 204 and 304 have no body. */
  statuses?: readonly (200 | 201 | 202 | 204 | 206 | 304)[];
  /** Alternative media types of the answer, all text. */
  alsoAs?: readonly string[];
  /** Descriptions of the success headers, by name, beyond those of every route. */
  answerHeaders?: Readonly<Record<string, string>>;
  /** The route can answer as server-sent events; `event` is the JSON of one. */
  stream?: { when: string; event: NamedSchema };
  /** For a protocol with its own error form. */
  errorForm?: {
    body: NamedSchema;
    /** Error statuses of all its routes, and the statuses that replace ours. */
    statuses: readonly ErrorStatus[];
    insteadOf: Partial<Record<ErrorStatus, ErrorStatus>>;
  };
  /** Error statuses beyond those implied by the route's guards, path, form, headers or `isPaid`. */
  errors?: readonly ErrorStatus[];
}

/** The part of a route that the document reads. Routes without `doc` are omitted. */
export interface DocumentedRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in the router's form: `/v1/models/:id`. */
  path: string;
  doc?: RouteDoc;
  guards: readonly { readonly refusals: readonly ErrorStatus[] }[];
}

/** A page of a list in the platform's form; the vendors' families have their own. */
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
