import createClient, { type MaybeOptionalInit, type ParseAsResponse } from 'openapi-fetch';
import type { paths } from './generated/api.ts';
import type { Send } from './http.ts';

type Json = 'application/json';
type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';
type PathOf<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, object> ? P : never }[keyof paths];
type RequiredKey<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];
type InitOf<I> = [RequiredKey<I>] extends [never] ? [init?: I] : [init: I];

/** The JSON of an operation's successes. A success without a body is undefined. */
type DataOf<Operation> = Operation extends { responses: infer All }
  ? {
      [Status in keyof All]: Status extends 200 | 201 | 202 | 204 | 206
        ? All[Status] extends { content: infer Content }
          ? Content extends Record<Json, infer Body>
            ? Body
            : unknown
          : undefined
        : never;
    }[keyof All]
  : never;

/** A call of a route: an answer that is not a success is thrown, so `data` is what the document says. */
type Call<M extends Method> = <P extends PathOf<M>, I extends MaybeOptionalInit<paths[P], M>>(
  path: P,
  ...init: InitOf<I>
) => Promise<{ data: ParseAsResponse<DataOf<paths[P][M]>, I>; response: Response }>;

/** Every route of the document, by method and path. */
export interface Api {
  GET: Call<'get'>;
  POST: Call<'post'>;
  PUT: Call<'put'>;
  PATCH: Call<'patch'>;
  DELETE: Call<'delete'>;
}

export function createApi(baseUrl: string, send: Send): Api {
  // A copy for each try, because a request is sent once. A body that is a stream is kept until the answer has come.
  return createClient<paths, Json>({ baseUrl, fetch: (request) => send(() => request.clone()) }) as unknown as Api;
}
