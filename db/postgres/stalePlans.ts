import type { Pool, PoolClient } from 'pg';

type Query = (...args: unknown[]) => unknown;

/**
 * Whether a prepared statement failed before it ran, because a migration has changed the columns of its result since its connection
 * prepared it. It fails on that connection for ever, and succeeds on a new one.
 */
export const isStalePlan = (error: unknown): boolean =>
  (error as { routine?: unknown } | null)?.routine === 'RevalidateCachedQuery';

const sent = new WeakMap<object, () => number>();

/** How many statements were sent over a connection of a pool. */
export const statementsSent = (client: object): number => sent.get(client)?.() ?? 0;

/**
 * Calls `onStale` with a connection whose plan was stale, and repeats single statements of the pool that failed so: nothing of them was
 * done.
 */
export function watchPlans(pool: Pool, onStale: (client: PoolClient) => void): void {
  pool.on('connect', (client) => {
    let count = 0;
    sent.set(client, () => count);
    const note = (error: unknown) => {
      if (isStalePlan(error)) onStale(client);
    };
    const query = client.query.bind(client) as Query;
    const watched: Query = (...args) => {
      count += 1;
      const callback = args.at(-1);
      if (typeof callback === 'function') {
        const noting = (error: unknown, result: unknown) => {
          note(error);
          (callback as Query)(error, result);
        };
        return query(...args.slice(0, -1), noting);
      }
      const answer = query(...args);
      if (answer instanceof Promise) answer.catch(note);
      return answer;
    };
    client.query = watched as PoolClient['query'];
  });
  const query = pool.query.bind(pool) as Query;
  const repeated: Query = (...args) => {
    const answer = query(...args);
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: unknown) => {
      if (isStalePlan(error)) return query(...args);
      throw error;
    });
  };
  pool.query = repeated as Pool['query'];
}
