import { answeredWithin, waitAtMost } from '../../base/waiting.ts';

// Timeout of a message to the server. After a failure, messages take the other way for a moment.
const SEND_WAIT_MS = 500;
const AWAY = 'notices go through the database: the server of LIMITS_REDIS_URL is away';
const LATE = `the bus did not take a message within ${SEND_WAIT_MS} ms`;
const START_WAIT_MS = 2_500;
const PAUSE_MS = 1_000;
const RECONNECT_MS = 500;

/** Messages between processes over a Valkey or Redis server. They are hints: the server keeps none for a process that is away. */
export interface Bus {
  /** Whether the last message got through. */
  isUp(): boolean;
  /** Sends a text to the subscribers of a channel. Resolves with their number; undefined when the server did not answer in time. */
  publish(channel: string, text: string): Promise<number | undefined>;
  /** Hears a channel, also after interruptions. Resolves once the server sends its messages, with a function that ends it. */
  subscribe(channel: string, onText: (text: string) => void): Promise<() => void>;
  /** Calls back when an interruption is over: messages were missed. */
  onReturn(listener: () => void): void;
  close(): Promise<void>;
}

/**
 * Opens two connections: one that listens can send nothing else. An unreachable server is no error: `isUp` tells, and the connections are
 * opened again until they hold. `onError` is called once for each interruption.
 */
export async function openBus(url: string, onError: (error: unknown) => void): Promise<Bus> {
  const { createClient } = await import('@redis/client');
  const socket = { connectTimeout: 1_000, reconnectStrategy: RECONNECT_MS };
  const sender = createClient({ url, disableOfflineQueue: true, socket });
  const receiver = createClient({ url, socket });
  const returns = new Set<() => void>();
  let wasReady = false;
  let isAway = false;
  let pausedUntilMs = 0;
  sender.on('error', pause);
  receiver.on('error', pause);
  receiver.on('ready', () => {
    if (wasReady) for (const listener of returns) listener();
    wasReady = true;
  });
  await waitAtMost(START_WAIT_MS, Promise.all([sender.connect(), receiver.connect()]).catch(pause));

  function pause(error: unknown): void {
    pausedUntilMs = performance.now() + PAUSE_MS;
    if (!isAway) onError(new Error(AWAY, { cause: error }));
    isAway = true;
  }

  return {
    isUp: () => sender.isReady && receiver.isReady && performance.now() >= pausedUntilMs,
    publish: async (channel, text) => {
      try {
        const subscribers = await answeredWithin(SEND_WAIT_MS, sender.publish(channel, text), LATE);
        isAway = false;
        return subscribers;
      } catch (error) {
        pause(error);
        return undefined;
      }
    },
    subscribe: async (channel, onText) => {
      // While the server is away this waits, and may fail: a later connection subscribes again by itself.
      await receiver.subscribe(channel, onText).catch(pause);
      return () => void receiver.unsubscribe(channel, onText).catch(pause);
    },
    onReturn: (listener) => void returns.add(listener),
    close: async () => {
      for (const client of [sender, receiver]) {
        if (client.isReady)
          await waitAtMost(
            SEND_WAIT_MS,
            client.close().catch(() => {}),
          );
        if (client.isOpen) client.destroy();
      }
    },
  };
}
