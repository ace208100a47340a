import type { Guard, Handler } from '../context.ts';
import type { RouteDoc } from '../docs/documentedRoute.ts';
import type { Route } from './router.ts';

/** The lines of the route table: path, guards in order, handler, documentation. */

const route =
  (method: Route['method']) =>
  (path: string, guards: Guard[], handler: Handler, doc?: RouteDoc): Route => ({ method, path, guards, handler, doc });

export const get = route('GET');
export const post = route('POST');
export const put = route('PUT');
export const patch = route('PATCH');
export const remove = route('DELETE');
