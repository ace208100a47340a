import { Pool, type ClientBase, type PoolClient, type PoolConfig } from 'pg';
import { tracing } from '../../base/tracing.ts';
import { watchPlans } from './stalePlans.ts';
import { tracePool } from './tracedPool.ts';

/** How long an answer may take before its connection counts as broken. The database itself ends a statement earlier, after 5 s. */
const QUERY_TIMEOUT_MS = 6_000;

/**
 * A pool of at most `max` connections with these session settings (`-c name=value ...`); undefined: those of the login. `onError` gets errors of idle connections. With
 * `pipeline`, a client sends each statement at once, and does not wait for the answers to those before it.
 */
export function openPool({
  url,
  max,
  settings,
  pipeline = false,
  onError,
}: {
  url: string;
  max: number;
  settings: string | undefined;
  pipeline?: boolean;
  onError: (error: unknown) => void;
}): Pool {
  const pool = new LoadedPool({
    connectionString: url,
    max,
    ...(settings !== undefined && { options: settings }),
    pipeline,
    connectionTimeoutMillis: connectTimeoutMsOf(url),
    query_timeout: QUERY_TIMEOUT_MS,
    idleTimeoutMillis: 0,
    keepAlive: true,
  });
  // The pool replaces a broken idle connection; without a listener its error would end the process. One that breaks while the pool closes it
  // is none: the pool does not wait for that. The pool attaches the connection to the error, which must not be logged.
  pool.on('error', (error) => {
    if (pool.ending) return;
    Reflect.deleteProperty(error, 'client');
    onError(error);
  });
  pool.on('connect', (client) => {
    // A connection that breaks between two statements of a transaction must not end the process either: the next statement fails.
    client.on('error', () => {});
    endOnTimeout(client);
  });
  watchPlans(pool, (client) => pool.replaceAll(client));
  if (tracing) tracePool(tracing, pool, url);
  return pool;
}

// What a pool says of a connection that has not opened in time, not of one that has not become free.
const NOT_OPENED = 'Connection terminated due to connection timeout';

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: (error?: unknown) => void) => void;

/**
 * A pool for busy machines, where one more connection may take too long to open while others work: one of those is taken then. Connections
 * that were opened before the last migration are replaced.
 */
class LoadedPool extends Pool {
  /** Connections since the last stale plan. */
  #fresh = new WeakSet<object>();

  constructor(config: PoolConfig) {
    super(config);
    this.on('connect', (client) => void this.#fresh.add(client));
  }

  /** Replaces all connections as they become free: this one has a stale plan, so others have them too. */
  replaceAll(client: PoolClient): void {
    // Otherwise they are being replaced already.
    if (this.#fresh.has(client)) this.#fresh = new WeakSet();
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    if (callback === undefined) return this.#connected();
    super.connect((error, client, release) => {
      if (this.#hasOthers(error)) super.connect(callback);
      else if (this.#isOld(client)) this.connect(callback);
      else callback(error, client, release);
    });
    return undefined;
  }

  async #connected(): Promise<PoolClient> {
    const client = await super.connect().catch((error: Error) => {
      if (!this.#hasOthers(error)) throw error;
      return super.connect();
    });
    return this.#isOld(client) ? this.#connected() : client;
  }

  /** Whether this connection was to be replaced: then it is closed. */
  #isOld(client: PoolClient | undefined): boolean {
    if (client === undefined || this.#fresh.has(client)) return false;
    client.release(true);
    return true;
  }

  #hasOthers(error: Error | undefined): boolean {
    return error?.message === NOT_OPENED && this.totalCount > 0;
  }
}

/**
 * Ends a connection as soon as one of its queries times out. Its state is unknown: it may be inside a transaction, and a `rollback` would
 * only wait behind the hanging query. Every later query on it fails at once, and its pool drops it on release.
 */
function endOnTimeout(client: ClientBase): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const ending = (...args: unknown[]) => {
    const answer = query(...args);
    if (answer instanceof Promise) {
      answer.catch((error: Error) => {
        if (error.message === 'Query read timeout') void (client as ClientBase & { end(): Promise<void> }).end();
      });
    }
    return answer;
  };
  client.query = ending as ClientBase['query'];
}

/** Opens a pool's first connection, with retries after timeouts, within `limitMs`. */
export async function firstConnection(pool: Pool, limitMs: number): Promise<void> {
  const deadlineMs = performance.now() + limitMs;
  for (;;) {
    try {
      return (await pool.connect()).release();
    } catch (error) {
      if (performance.now() > deadlineMs || !/timeout/.test((error as Error).message)) throw error;
    }
  }
}

const DEFAULT_SECONDS = 2;
// When everything on a machine starts at once, a connection takes longer, and no answer waits for it yet.
const START_SECONDS = 20;

/**
 * Timeout for opening a connection, in milliseconds: libpq's `connect_timeout` of the address, in seconds, otherwise two seconds, so that
 * callers do not wait for an unreachable database.
 */
export function connectTimeoutMsOf(url: string): number {
  return (secondsIn(url) ?? DEFAULT_SECONDS) * 1_000;
}

/** The same for the first connections of a process. */
export function startTimeoutMsOf(url: string): number {
  return (secondsIn(url) ?? START_SECONDS) * 1_000;
}

function secondsIn(url: string): number | undefined {
  const seconds = Number(new URL(url).searchParams.get('connect_timeout'));
  return seconds > 0 ? seconds : undefined;
}
