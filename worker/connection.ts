import { Client } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { clientOptionsOf, connectionOptionsOf, type TemporalSettings } from '../base/temporalSettings.ts';
import { clientTracing } from '../base/temporalTracing.ts';
import { ensureSchedules, ensureSearchAttributes } from './namespace.ts';

const RETRY_DELAY_MS = 2_000;

interface Place {
  temporal: TemporalSettings;
  logger: Logger;
}

/** Connects to Temporal, and registers the attributes and schedules of its namespace. Tries again while the server does not answer. */
export async function connectToNamespace(place: Place): Promise<{ connection: NativeConnection; client: Client }> {
  const { temporal } = place;
  const connection = await patiently(place, () => NativeConnection.connect(connectionOptionsOf(temporal)));
  const client = new Client({ ...clientOptionsOf(temporal), ...clientTracing(), connection });
  const register = async () => {
    await ensureSearchAttributes(connection, temporal.namespace);
    await ensureSchedules(client);
  };
  await patiently(place, register, isOfServer);
  return { connection, client };
}

/**
 * Repeats `work` while Temporal does not answer, with a line in the log for each time.
 * @throws the error of `work` unless `mayPass` says that it may pass.
 */
export async function patiently<T>(
  { temporal: { address }, logger }: Place,
  work: () => Promise<T>,
  mayPass: (error: unknown) => boolean = () => true,
): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error)) throw error;
      logger.warn({ err: error, temporalAddress: address }, 'Temporal does not answer; trying again');
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    }
  }
}

// gRPC: CANCELLED (a call that took too long, here), DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE.
const PASSING_CODES: readonly unknown[] = [1, 4, 8, 14];

/** Whether the server cannot answer now, as after a restart with a long history; not when it refuses. */
export function isOfServer(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return PASSING_CODES.includes(code) || (cause instanceof Error && isOfServer(cause));
}
