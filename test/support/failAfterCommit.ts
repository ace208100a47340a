import { AsyncLocalStorage } from 'node:async_hooks';
import { Server } from 'node:http';
import { Client, Pool } from 'pg';

/** A request, and whether it has written and committed: from then on its statements fail. */
interface Watched {
  hasWritten: boolean;
  isStored: boolean;
}

/**
 * Lets the database fail for a request once its transaction that wrote a row has been committed: what it stored stays, and all its later
 * statements fail. Must be called before the API opens its connections.
 */
export function watchCommits() {
  const requests = new AsyncLocalStorage<Watched>();
  const emit = methodOf(Server.prototype, 'emit');
  const [ofClient, ofPool] = [methodOf(Client.prototype, 'query'), methodOf(Pool.prototype, 'query')];
  let awaited: string | undefined;

  Server.prototype.emit = function (this: Server, ...args: unknown[]) {
    const pass = () => Reflect.apply(emit, this, args) as boolean;
    return awaited !== undefined && args[0] === 'request'
      ? requests.run({ hasWritten: false, isStored: false }, pass)
      : pass();
  };
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const request = requests.getStore();
    if (request?.isStored) return refuse(args);
    const text = textOf(args[0]);
    if (request && awaited !== undefined && text.trimStart().startsWith(awaited)) request.hasWritten = true;
    if (request?.hasWritten && text === 'commit') request.isStored = true;
    return Reflect.apply(ofClient, this, args);
  } as Client['query'];
  Pool.prototype.query = function (this: Pool, ...args: unknown[]) {
    if (requests.getStore()?.isStored) return refuse(args);
    // A statement without a transaction, of a pool that may give its client in another request's turn.
    return requests.exit(() => Reflect.apply(ofPool, this, args));
  } as Pool['query'];

  return {
    /** Sends a request for which the database fails after the commit of the transaction with this statement, of which the beginning is given. */
    during: async <T>(statement: string, send: () => Promise<T>): Promise<T> => {
      awaited = statement;
      return send().finally(() => (awaited = undefined));
    },
    end(): void {
      Object.assign(Server.prototype, { emit });
      Object.assign(Client.prototype, { query: ofClient });
      Object.assign(Pool.prototype, { query: ofPool });
    },
  };
}

type Method = (...args: unknown[]) => unknown;

const methodOf = (holder: object, name: string): Method => Reflect.get(holder, name) as Method;

const textOf = (sent: unknown): string =>
  typeof sent === 'string' ? sent : ((sent as { text?: string } | undefined)?.text ?? '');

function refuse(args: unknown[]): Promise<never> | undefined {
  const error = new Error('the database is away since the commit');
  const callback = args.findLast((one) => typeof one === 'function');
  if (callback === undefined) return Promise.reject(error);
  process.nextTick(callback, error);
  return undefined;
}
