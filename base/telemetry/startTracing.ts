import { waitAtMost } from '../waiting.ts';
import { traceWith, tracing } from '../tracing.ts';
import { readTracingConfig } from './config.ts';

const FLUSH_LIMIT_MS = 2_000;

/** Turns tracing on if the environment says so. Runs before anything else is created, because other code checks it only once. */
export async function startTracing(serviceName: string, onProblem: (message: string) => void): Promise<void> {
  const config = readTracingConfig(serviceName);
  if (!config) return;
  const { openTracing } = await import('./openTracing.ts');
  // Deferred, because the log is created after this: it names spans.
  traceWith(await openTracing(config, (message) => void setImmediate(onProblem, message)));
}

/** Sends the pending spans, for at most two seconds. */
export async function endTracing(): Promise<void> {
  if (tracing) await waitAtMost(FLUSH_LIMIT_MS, tracing.close());
}
