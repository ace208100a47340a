import type { Client, Connection } from '@temporalio/client';

const CALL_MS = 3_000;
const PING_MS = 1_000;
const PRELOAD_MS = 2_000;

export type Temporal = ReturnType<typeof createTemporal>;

/**
 * The way to Temporal. Its library, a large one, is loaded at the first call or by `preload`, and the connection opened when it is used:
 * the start of a process waits for neither, and nothing waits for a Temporal that is away.
 */
export function createTemporal({ address, namespace }: { address: string; namespace: string }) {
  let opening: Promise<{ connection: Connection; client: Client }> | undefined;
  const pending = new Set<Promise<unknown>>();

  async function open() {
    const sdk = await import('@temporalio/client');
    const connection = sdk.Connection.lazy({ address });
    return { connection, client: new sdk.Client({ connection, namespace }) };
  }

  async function callWithin<T>(limitMs: number, work: (client: Client) => Promise<T>): Promise<T> {
    const { connection, client } = await (opening ??= open());
    return connection.withDeadline(Date.now() + limitMs, () => work(client));
  }

  function track<T>(call: Promise<T>): Promise<T> {
    pending.add(call);
    const forget = (): void => void pending.delete(call);
    call.then(forget, forget);
    return call;
  }

  return {
    /** Calls Temporal. Throws what the call throws, and when it takes longer than a call may. */
    call: <T>(work: (client: Client) => Promise<T>): Promise<T> => track(callWithin(CALL_MS, work)),
    /** Loads the library a moment from now: it keeps the process from everything else for half a second, which no run should wait for. */
    preload(): void {
      setTimeout(() => void (opening ??= open()), PRELOAD_MS).unref();
    },
    /** Whether Temporal answers. Unknown as long as the library is not loaded. */
    async state(): Promise<'reachable' | 'away' | 'unknown'> {
      if (!opening) return 'unknown';
      const ping = track(callWithin(PING_MS, ({ connection }) => connection.workflowService.getSystemInfo({})));
      return ping.then(
        () => 'reachable' as const,
        () => 'away' as const,
      );
    },
    /** Waits for the calls that are on their way: the library throws from a timer when one is retried on a closed connection. */
    async close(): Promise<void> {
      await Promise.allSettled(pending);
      await (await opening)?.connection.close();
    },
  };
}
