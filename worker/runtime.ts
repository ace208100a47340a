import { type LogMetadata, type MetricsBuffer, Runtime } from '@temporalio/worker';
import { type Logger, stdSerializers } from 'pino';
import { createOutageLog } from '../base/log.ts';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

// The worker of the tool queue has no workflows on purpose.
const EXPECTED = 'No workflows registered';

// The library's core tries each call again, and each poller writes a line for each try: two thousand in a minute without a server.
const RETRIES = 'temporalio_client::retry';

/**
 * Redirects the logs of Temporal's library and of its core to our log, and its figures to the buffer, if there is one. Of calls that fail
 * and are tried again only the first and the end are logged. Called once, before any other use of that library.
 */
export function installRuntime(logger: Logger, figures?: MetricsBuffer): void {
  const logRetry = createOutageLog(logger, {
    begun: 'a call to Temporal fails; trying again',
    over: 'no call to Temporal has failed for half a minute',
  });
  const log = (level: keyof typeof LEVELS, message: string, meta: LogMetadata = {}): void => {
    if (meta.target === RETRIES) return logRetry({ reason: message, ...readableMeta(meta) });
    logger[message.startsWith(EXPECTED) ? 'debug' : LEVELS[level]](readableMeta(meta), message);
  };
  Runtime.install({
    shutdownSignals: ['SIGINT', 'SIGTERM'],
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      ...(figures && { metrics: { buffer: figures } }),
    },
    logger: {
      log,
      trace: (message, meta) => log('TRACE', message, meta),
      debug: (message, meta) => log('DEBUG', message, meta),
      info: (message, meta) => log('INFO', message, meta),
      warn: (message, meta) => log('WARN', message, meta),
      error: (message, meta) => log('ERROR', message, meta),
    },
  });
}

/** Metadata of Temporal's log lines, with errors as texts of their messages, stacks and causes: as object members they would be lost. */
export function readableMeta(meta: object): Record<string, unknown> {
  const members = Object.entries(meta as Record<string, unknown>);
  return Object.fromEntries(
    members.map(([name, value]) => [name, Error.isError(value) ? stdSerializers.errWithCause(value) : value]),
  );
}
