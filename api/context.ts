import type { BlockList } from 'node:net';
import type { ParameterizedContext } from 'koa';
import type { SignedIn } from '../db/accounts/consoleSession.ts';
import type { Actor } from '../db/workspaces/audit.ts';
import type { OpenSecret } from '../db/keys/clientSecrets.ts';
import type { ApiError, ErrorStatus } from '../base/errors/apiError.ts';
import type { RequestCaller } from './requestCaller.ts';

/**
 * `call` counts against the concurrency limit of its key. `follower` reads what happens elsewhere, for as long as that takes: followers have
 * as many places again. `steering` ends or continues what runs, and must not wait for a place. All count against the minute.
 */
export type LimitClass = 'call' | 'follower' | 'steering';

/**
 * What guards pass to the handler, the fields of the request's log line, and the request as the caller of what it pays for. `Input` is what the
 * guard of the route's input makes of it.
 */
export interface State<Input = unknown> extends RequestCaller {
  /** Proxies whose word about their callers counts. */
  trustedProxies: BlockList | null;
  params: Record<string, string | undefined>;
  /** Set by the guard `clientSecret`: what the request carries in the place of its key. */
  clientSecret?: OpenSecret;
  /** Set by the guard `session`: the signed-in member; undefined for requests with a key. */
  member?: SignedIn;
  /** Set by the guard `limitedAs`: which of its key's limits the request counts against. A call by default. */
  limitClass?: LimitClass;
  /** Set by the guards of bodies and queries: the parsed input of the route. */
  input: Input;
  /** Of a body whose request may be tried again. */
  bodyHash?: string;
  /** Set by the guard `idempotent`: the id for the resource that the request creates. */
  resourceId: string;
  /** Set by a route whose protocol has errors of its own form: how it answers one. */
  errorForm?: (error: ApiError) => { status: number; body: object };
}

export type Context<Input = unknown> = ParameterizedContext<State<Input>>;
/** Answers a request whose guards have set an input of this type; any input by default. */
export type Handler<Input = unknown> = (ctx: Context<Input>) => Promise<void> | void;
/** Runs before `next`. */
export type Middleware<Input = unknown> = (ctx: Context<Input>, next: () => Promise<void>) => Promise<void>;

/**
 * Runs before a handler. `refusals` are the statuses with which it refuses requests; the documentation of its routes lists them. A guard with
 * an `Input` sets `ctx.state.input`, and handlers behind it take that type: the helpers of the route table (`get`, `post`) compare the two.
 */
export type Guard<Input = unknown> = Middleware<Input> & { readonly refusals: readonly ErrorStatus[] };

/** A guard that refuses with these statuses. */
export const guard = <Input = unknown>(refusals: readonly ErrorStatus[], check: Middleware<Input>): Guard<Input> =>
  Object.assign(check, { refusals });

/** The actor of an audited action: the request's key, and the member whom it represents. */
export const actorOf = ({ state: { key, member, requestId } }: Context): Actor & { keyId: string } => ({
  keyId: key.keyId,
  userId: member?.userId,
  requestId,
});
