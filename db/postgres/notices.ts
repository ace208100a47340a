import { Client } from 'pg';
import { connectTimeoutMsOf, startTimeoutMsOf } from './pool.ts';
import type { Queryable } from './queryable.ts';
import { OPTIONS } from './session.ts';

const CHANNEL = 'ledgerline';
const RECONNECT_MS = 500;

/**
 * Notices between processes, through the database. They are only hints: a process that misses one finds the change soon after.
 */
export type Notice =
  | { kind: 'key'; hash: string }
  | { kind: 'scarce'; accountId: string }
  | { kind: 'reader' }
  | { kind: 'run'; runId: string; sequence: number }
  /** Its steps have to stop. */
  | { kind: 'run-cancelled'; runId: string }
  | { kind: 'webhook' }
  /** The workspace has a new event of those that webhooks deliver. */
  | { kind: 'event'; workspaceId: string }
  | { kind: 'live' }
  | { kind: 'catalog' }
  /** Of this process itself: notices of the time without a connection were missed. */
  | { kind: 'reconnected' }
  | { kind: 'call-sought'; id: string; process: string; inquiry: Inquiry }
  | { kind: 'call-found'; id: string; requestId: string | null };

/** A question to the other processes: who runs this request, or a request with this fingerprint. */
export interface Inquiry {
  workspaceId: string;
  requestId?: string;
  fingerprint?: string;
  /** Whether it asks for a reader, which keeps the call running. Absent: it does. */
  attaches?: boolean;
}

export type Notices = ReturnType<typeof createNotices>;

/** LISTEN on a separate connection, which is reopened whenever it breaks. */
export function createNotices({ url, onError }: { url: string; onError: (error: unknown) => void }) {
  const listeners = new Set<(notice: Notice) => void>();
  let client: Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  async function connect(timeoutMs: number): Promise<void> {
    const next = new Client({
      connectionString: url,
      options: OPTIONS.listening,
      keepAlive: true,
      connectionTimeoutMillis: timeoutMs,
    });
    next.on('notification', ({ payload }) => payload && dispatch(JSON.parse(payload) as Notice));
    next.on('error', onError);
    next.on('end', () => reconnectLater());
    await next.connect();
    await next.query(`listen ${CHANNEL}`);
    client = next;
  }

  function reconnectLater(): void {
    client = undefined;
    // A connection that fails to open reports both an end and an error: one retry is enough.
    if (closed || retry) return;
    retry = setTimeout(() => {
      retry = undefined;
      if (closed) return;
      connect(connectTimeoutMsOf(url)).then(
        () => dispatch({ kind: 'reconnected' }),
        () => reconnectLater(),
      );
    }, RECONNECT_MS).unref();
  }

  function dispatch(notice: Notice): void {
    for (const listener of listeners) listener(notice);
  }

  return {
    connect: () => connect(startTimeoutMsOf(url)),
    /** Returns a function that ends the listening. */
    listen: (listener: (notice: Notice) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    send: sendNotice,
    close: async () => {
      closed = true;
      await client?.end();
    },
  };
}

/** Sends a notice. Within a transaction it is sent at the commit. */
export async function sendNotice(client: Queryable, notice: Notice): Promise<void> {
  await client.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(notice)]);
}
