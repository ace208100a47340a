import type { ParameterizedContext } from 'koa';
import type { Key } from '../db/keys.ts';
import type { ErrorStatus } from './errors/apiError.ts';

/** What the guards leave for the handler, and what the log line of the request will say. */
export interface State {
  requestId: string;
  /** When the request began: as the wall clock had it, and on the steady clock by which times are taken. */
  startedAtMs: number;
  begunAtMs: number;
  /** The route's path as the table writes it: `/v1/models/:id`. */
  route: string;
  params: Record<string, string | undefined>;
  /** Set by the guard `key`. */
  key: Key;
  /** Set by the guard `body`: the parsed input of the route. */
  input: unknown;
  bodyBytes: number;
  /** Set by the guard `idempotent`: the id of what the request creates. */
  resourceId: string;
  log: { model?: string; costNanos?: bigint; error?: unknown; cancelled?: boolean };
}

export type Context = ParameterizedContext<State>;
export type Handler = (ctx: Context) => Promise<void> | void;
/** Runs before what follows it: `next`. */
export type Middleware = (ctx: Context, next: () => Promise<void>) => Promise<void>;

/** Runs before a handler. `refusals` are the statuses with which it refuses requests; the documentation of its routes lists them. */
export type Guard = Middleware & { readonly refusals: readonly ErrorStatus[] };

/** A guard that refuses with these statuses. */
export const guard = (refusals: readonly ErrorStatus[], check: Middleware): Guard => Object.assign(check, { refusals });
