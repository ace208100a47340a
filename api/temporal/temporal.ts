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

  async function open() {
    const sdk = await import('@temporalio/client');
    const connection = sdk.Connection.lazy({ address });
    return { connection, client: new sdk.Client({ connection, namespace }) };
  }

  async function callWithin<T>(limitMs: number, work: (client: Client) => Promise<T>): Promise<T> {
    const { connection, client } = await (opening ??= open());
    return connection.withDeadline(Date.now() + limitMs, () => work(client));
  }

  return {
    /** Calls Temporal. Throws what the call throws, and when it takes longer than a call may. */
    call: <T>(work: (client: Client) => Promise<T>): Promise<T> => callWithin(CALL_MS, work),
    /** Loads the library a moment from now: it keeps the process from everything else for half a second, which no run should wait for. */
    preload(): void {
      setTimeout(() => void (opening ??= open()), PRELOAD_MS).unref();
    },
    /** Whether Temporal answers. Unknown as long as the library is not loaded. */
    async state(): Promise<'reachable' | 'away' | 'unknown'> {
      if (!opening) return 'unknown';
      const ping = callWithin(PING_MS, ({ connection }) => connection.workflowService.getSystemInfo({}));
      return ping.then(
        () => 'reachable' as const,
        () => 'away' as const,
      );
    },
    async close(): Promise<void> {
      await (await opening)?.connection.close();
    },
  };
}
