import type { BlockList } from 'node:net';
import type { ParameterizedContext } from 'koa';
import type { SignedIn } from '../db/accounts/consoleSession.ts';
import type { Actor } from '../db/workspaces/audit.ts';
import type { OpenSecret } from '../db/keys/clientSecrets.ts';
import type { ApiError, ErrorStatus } from '../base/errors/apiError.ts';
import type { RequestCaller } from './requestCaller.ts';

/**
 * A `call` counts against its key's concurrency limit. A `follower` reads another request's progress for as long as that takes: followers
 * have a separate limit of the same size. `steering` ends or continues running work, and must not wait for a slot. All count against the
 * requests per minute.
 */
export type LimitClass = 'call' | 'follower' | 'steering';

/**
 * Values that guards pass to the handler, the fields of the request's log line, and the request as a paying caller. `Input` is the output
 * of the route's input guard.
 */
export interface State<Input = unknown> extends RequestCaller {
  /** Proxies whose `X-Forwarded-*` headers are trusted. */
  trustedProxies: BlockList | null;
  params: Record<string, string | undefined>;
  /** Set by the guard `clientSecret`: replaces the request's key. */
  clientSecret?: OpenSecret;
  /** Set by the guard `session`: the signed-in member; undefined for requests with a key. */
  member?: SignedIn;
  /** Set by the guard `limitedAs`: the limit that the request counts against. Default: `call`. */
  limitClass?: LimitClass;
  /** Set by the guards of bodies and queries: the parsed input of the route. */
  input: Input;
  /** Hash of the body, when the request may be retried. */
  bodyHash?: string;
  /** Set by the guard `idempotent`: the id for the resource that the request creates. */
  resourceId: string;
  /** Set by a route whose protocol has its own error form; undefined for errors that keep the platform's. */
  errorForm?: (error: ApiError) => { status: number; body: object } | undefined;
}

export type Context<Input = unknown> = ParameterizedContext<State<Input>>;
/** Answers a request whose guards have set an input of this type; by default any input. */
export type Handler<Input = unknown> = (ctx: Context<Input>) => Promise<void> | void;
/** Runs before `next`. */
export type Middleware<Input = unknown> = (ctx: Context<Input>, next: () => Promise<void>) => Promise<void>;

/**
 * Runs before a handler. `refusals` are the statuses that it throws, for the documentation of its routes. A guard with an `Input` sets
 * `ctx.state.input`, and the handlers behind it take that type: the helpers of the route table (`get`, `post`) compare them.
 */
export type Guard<Input = unknown> = Middleware<Input> & {
  readonly refusals: readonly ErrorStatus[];
  /** It, or a handler that it announces, checks the members of the query; a route without such a guard refuses all of them. */
  readonly readsQuery?: true;
};

/** A guard that throws these statuses. */
export const guard = <Input = unknown>(refusals: readonly ErrorStatus[], check: Middleware<Input>): Guard<Input> =>
  Object.assign(check, { refusals });

/** A guard that checks the members of the query. */
export const queryGuard = <Input = unknown>(refusals: readonly ErrorStatus[], check: Middleware<Input>): Guard<Input> =>
  Object.assign(check, { refusals, readsQuery: true as const });

/** Announces a handler that checks the query itself. */
export const handlerReadsQuery: Guard = queryGuard([], (_, next) => next());

/** The actor of an audited action: the request's key, and its member if signed in. */
export const actorOf = ({ state: { key, member, requestId } }: Context): Actor & { keyId: string } => ({
  keyId: key.keyId,
  userId: member?.userId,
  requestId,
});
