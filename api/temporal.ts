import type { Client, Connection } from '@temporalio/client';

const CALL_MS = 3_000;

export type Temporal = ReturnType<typeof createTemporal>;

/**
 * The way to Temporal. Its library, a large one, is loaded and the connection opened at the first call: a process that only serves
 * text needs neither, and nothing waits for a Temporal that is away.
 */
export function createTemporal({ address, namespace }: { address: string; namespace: string }) {
  let opening: Promise<{ connection: Connection; client: Client }> | undefined;

  async function open() {
    const sdk = await import('@temporalio/client');
    const connection = sdk.Connection.lazy({ address });
    return { connection, client: new sdk.Client({ connection, namespace }) };
  }

  return {
    /** Calls Temporal. Throws what the call throws, and when it takes longer than a call may. */
    async call<T>(work: (client: Client) => Promise<T>): Promise<T> {
      const { connection, client } = await (opening ??= open());
      return connection.withDeadline(Date.now() + CALL_MS, () => work(client));
    },
    async close(): Promise<void> {
      await (await opening)?.connection.close();
    },
  };
}
