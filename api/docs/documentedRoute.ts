import { z } from 'zod';
import type { ErrorStatus } from '../errors/apiError.ts';

/** A schema that the document lists under a name of its own. */
export interface NamedSchema {
  id: string;
  schema: z.ZodType;
}

/** The documentation of a route. */
export interface RouteDoc {
  /** The group it is shown in. */
  tag: string;
  summary: string;
  /** Markdown is not rendered: plain sentences. */
  description?: string;
  /** A model answers: the call costs, and may be refused for that. */
  isPaid?: boolean;
  query?: z.ZodObject;
  /** Headers that it reads beside those of every route. */
  headers?: z.ZodObject;
  /** The schema that validates the JSON body, and a body that works when pasted. */
  input?: NamedSchema & { example: unknown; isOptional?: true };
  /** The schema of a multipart form that carries a file, alone or beside `input`, and fields for an example. */
  form?: NamedSchema & { example: Record<string, string> };
  /** Left out where the answer is the bytes of a file. */
  answer?: NamedSchema;
  /** The answer is such an object in each of its lines. */
  isInLines?: true;
  /** What a good answer’s status may be; 200 when left out. 204 and 304 have no body. */
  statuses?: readonly (200 | 201 | 202 | 204 | 206 | 304)[];
  /** Other media types of a good answer, as text, which the request may choose. */
  alsoAs?: readonly string[];
  /** Descriptions of the headers of a good answer, by name, beside those of every route. */
  answerHeaders?: Readonly<Record<string, string>>;
  /** The route can answer as server-sent events; `event` is the JSON of one. */
  stream?: { when: string; event: NamedSchema };
  /** Statuses of refusals that follow neither from the route's guards, nor from its path, form and headers, nor from `isPaid`. */
  errors?: readonly ErrorStatus[];
}

/** A row of the route table, as far as the document reads it. A route without `doc` is not shown. */
export interface DocumentedRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters as the router writes them: `/v1/models/:id`. */
  path: string;
  doc?: RouteDoc;
  guards: readonly { readonly refusals: readonly ErrorStatus[] }[];
}

/** A page of a list, as every family but those of the two vendors sends it. */
export const pageOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.object({
    object: z.literal('list'),
    data: z.array(entry),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  });

/** A page of a list whose next page begins at `nextCursor`; null for the last. */
export const presentPage = <Entry>(data: Entry[], nextCursor: string | null) => ({
  object: 'list' as const,
  data,
  has_more: nextCursor !== null,
  next_cursor: nextCursor,
});
