import { Client } from 'pg';
import { waitAtMost } from '../../base/waiting.ts';
import type { Bus } from '../bus/bus.ts';
import { newId } from '../ids.ts';
import { busOf, holdMessage } from './heldNotices.ts';
import { connectTimeoutMsOf, startTimeoutMsOf } from './pool.ts';
import type { Queryable } from './queryable.ts';
import { OPTIONS } from './session.ts';

const CHANNEL = 'ledgerline';
const RECONNECT_MS = 500;
const SUBSCRIBE_WAIT_MS = 1_000;

/**
 * Notices between processes, through the database or a bus. They are only hints: a process that misses one finds the change soon after.
 */
export type Notice =
  | { kind: 'key'; hash: string }
  | { kind: 'scarce'; accountId: string }
  | { kind: 'reader' }
  | { kind: 'run'; runId: string; sequence: number }
  /** Its steps have to stop. */
  | { kind: 'run-cancelled'; runId: string }
  /** Keys of the workspace have ended: their runs are cancelled. */
  | { kind: 'revoked'; workspaceId: string }
  | { kind: 'webhook' }
  /** The workspace has a new event of those that webhooks deliver. */
  | { kind: 'event'; workspaceId: string }
  | { kind: 'live' }
  | { kind: 'catalog' }
  /** Of this process itself: notices of the time without a connection were missed. */
  | { kind: 'reconnected' }
  /** `replyTo` is the address at which the asking process hears answers over the bus. */
  | { kind: 'call-sought'; id: string; process: string; replyTo: string; inquiry: Inquiry }
  /** `by` is the process that answers. */
  | { kind: 'call-found'; id: string; to: string; by: string; requestId: string | null };

/** A question to the other processes: who runs this request, or a request with this fingerprint. */
export interface Inquiry {
  workspaceId: string;
  requestId?: string;
  fingerprint?: string;
  /** Whether it asks for a reader, which keeps the call running. Absent: it does. */
  attaches?: boolean;
}

export type Notices = ReturnType<typeof createNotices>;

/**
 * LISTEN on a separate connection, which is reopened whenever it breaks. With a bus, its channels too: all processes hear the common one,
 * those that spend hear questions about running calls, and a run's events are only heard by who follows it.
 */
export function createNotices({
  url,
  bus,
  onError,
}: {
  url: string;
  bus?: Bus | undefined;
  onError: (error: unknown) => void;
}) {
  const listeners = new Set<(notice: Notice) => void>();
  const address = newId('proc');
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
    next.on('notification', ({ payload }) => payload && hear(payload));
    next.on('error', onError);
    next.on('end', () => reconnectLater());
    await next.connect();
    await next.query(`listen ${CHANNEL}`);
    client = next;
    // `close` was called while this connection opened, so it is ended here.
    if (closed) await next.end();
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

  async function subscribe(spends: boolean): Promise<void> {
    if (!bus) return;
    bus.onReturn(() => dispatch({ kind: 'reconnected' }));
    const channels = [EVERYONE, processChannel(address), ...(spends ? [SPENDING] : [])];
    // An unreachable server must not delay the start: it is subscribed to when it is there.
    await waitAtMost(SUBSCRIBE_WAIT_MS, Promise.all(channels.map((channel) => bus.subscribe(channel, hear))));
  }

  const hear = (text: string): void => dispatch(JSON.parse(text) as Notice);

  function dispatch(notice: Notice): void {
    for (const listener of listeners) listener(notice);
  }

  return {
    /** The address of this process on the bus. */
    address,
    /** Begins to listen. Processes that spend are asked about running calls. */
    connect: async ({ spends }: { spends: boolean }): Promise<void> => {
      await Promise.all([connect(startTimeoutMsOf(url)), subscribe(spends)]);
    },
    /** Returns a function that ends the listening. */
    listen: (listener: (notice: Notice) => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /**
     * Hears of the events of a run too, which a bus tells only to who follows it. `onHearing` is called when that begins: what happened
     * before was not heard. Returns a function that ends it.
     */
    follow: (runId: string, onHearing: () => void): (() => void) => {
      const subscribed = bus?.subscribe(runChannel(runId), hear);
      void subscribed?.then(onHearing);
      return () => void subscribed?.then((unsubscribe) => unsubscribe());
    },
    send: sendNotice,
    notifyAll,
    close: async () => {
      closed = true;
      await client?.end();
    },
  };
}

/**
 * Sends a notice. Within a transaction it is sent at the commit, or when it goes over a bus right after it. Resolves with the number of
 * processes that heard it, where that is known.
 */
export async function sendNotice(client: Queryable, notice: Notice): Promise<number | undefined> {
  const bus = busOf(client);
  const channel = channelOf(notice);
  if (!bus || !channel) return notifyAll(client, notice);
  const text = JSON.stringify(notice);
  if (holdMessage(client, { channel, text })) return undefined;
  const heard = await bus.publish(channel, text);
  // Processes without the bus, or of an earlier release, hear the database alone. Most runs have no followers.
  return heard || notice.kind === 'run' ? heard : notifyAll(client, notice);
}

/** Sends a notice through the database, which every process hears. */
async function notifyAll(client: Queryable, notice: Notice): Promise<undefined> {
  await client.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify(notice)]);
}

const EVERYONE = 'ledgerline:all';
const SPENDING = 'ledgerline:spending';
const processChannel = (address: string): string => `ledgerline:process:${address}`;
const runChannel = (runId: string): string => `ledgerline:run:${runId}`;

// A missed event is found by its followers each second, and a missed delivery by the sweep.
const FOR_EVERYONE: Notice['kind'][] = ['key', 'reader', 'live', 'event', 'webhook'];

/**
 * The channel of a notice; undefined for those that stay in the database. NOTIFY takes one lock of the whole server at each commit and
 * wakes every process, so what is frequent goes over the bus. A process that dies between its commit and the message sends none: the
 * others read a key again within a second, look for a run's events each second, and ask again for a call. What they would not find so
 * soon, a changed ceiling for example, is part of the commit.
 */
function channelOf(notice: Notice): string | undefined {
  if (notice.kind === 'run') return runChannel(notice.runId);
  if (notice.kind === 'call-found') return processChannel(notice.to);
  if (notice.kind === 'call-sought') return SPENDING;
  return FOR_EVERYONE.includes(notice.kind) ? EVERYONE : undefined;
}
