import type { Client, Connection } from '@temporalio/client';
import { clientOptionsOf, connectionOptionsOf, type TemporalSettings } from '../../base/temporalSettings.ts';
import { clientTracing } from '../../base/temporalTracing.ts';

const CALL_MS = 3_000;
const PING_MS = 1_000;
const RETRY_DELAY_MAX_MS = 300;

export type Temporal = ReturnType<typeof createTemporal>;

/**
 * The connection to Temporal. Its library, of 12 MB and 80 ms, is loaded at the first call or look at its state, and the connection opens at
 * first use: neither the start of a process nor a Temporal outage blocks anything else.
 */
export function createTemporal(settings: TemporalSettings) {
  let opening: Promise<{ connection: Connection; client: Client }> | undefined;
  let isOpen = false;
  const pending = new Set<Promise<unknown>>();
  let closing = false;

  async function open() {
    const sdk = await import('@temporalio/client');
    const retries = sdk.defaultGrpcRetryOptions({ maxIntervalMs: () => RETRY_DELAY_MAX_MS });
    const retryableDecider: typeof retries.retryableDecider = (attempt, status) =>
      !closing && retries.retryableDecider(attempt, status);
    const interceptors = [sdk.makeGrpcRetryInterceptor({ ...retries, retryableDecider })];
    const connection = sdk.Connection.lazy({ ...connectionOptionsOf(settings), interceptors });
    return { connection, client: new sdk.Client({ ...clientOptionsOf(settings), ...clientTracing(), connection }) };
  }

  async function openOnce() {
    const opened = await (opening ??= open());
    isOpen = true;
    return opened;
  }

  async function callWithin<T>(limitMs: number, work: (client: Client) => Promise<T>): Promise<T> {
    const { connection, client } = await openOnce();
    return connection.withDeadline(Date.now() + limitMs, () => work(client));
  }

  function track<T>(call: Promise<T>): Promise<T> {
    pending.add(call);
    const forget = (): void => void pending.delete(call);
    call.then(forget, forget);
    return call;
  }

  return {
    /** Calls Temporal. Throws the call's errors, and a timeout. */
    call: <T>(work: (client: Client) => Promise<T>): Promise<T> => track(callWithin(CALL_MS, work)),
    /** Whether Temporal answers; `unknown` at first, when only the loading of the library is begun. */
    async state(): Promise<'reachable' | 'away' | 'unknown'> {
      if (!isOpen) {
        void openOnce().catch(() => {});
        return 'unknown';
      }
      const ping = track(callWithin(PING_MS, ({ connection }) => connection.workflowService.getSystemInfo({})));
      return ping.then(
        () => 'reachable' as const,
        () => 'away' as const,
      );
    },
    /** Stops retries of failed calls, so that the process can end: the sweep delivers the rest. */
    stopRetries(): void {
      closing = true;
    },
    /** Waits for running calls: the library throws from a timer when a call is retried on a closed connection. */
    async close(): Promise<void> {
      closing = true;
      await Promise.allSettled(pending);
      await (await opening)?.connection.close();
    },
  };
}
