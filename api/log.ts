import { pino, type DestinationStream, type Logger } from 'pino';
import { isoTimeOf } from '../base/isoTime.ts';
import { usdTextOf } from '../db/money.ts';
import { CLIENT_CLOSED_STATUS, elapsedMs } from './http/answer.ts';
import { asApiError } from './guard/errors.ts';
import type { Context } from './context.ts';
import type { Refusal } from './server.ts';

// Escaped characters, as in the path of a request, are those of a key too.
const KEY_PATTERN = /((?:_|%5f)live(?:_|%5f)|ek_)(?:[\da-z]|%[\da-f]{2})+/gi;

/** The process's log: one JSON line an event, without secrets whatever they are found in. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: () => `,"time":"${isoTimeOf(Date.now())}"`,
      hooks: {
        streamWrite: (line) =>
          line.includes('live') || line.includes('ek_') ? line.replace(KEY_PATTERN, '$1[secret]') : line,
      },
    },
    destination,
  );
}

/** The line of one request: what it was, how it ended, what it cost, how long it took; and why, when it failed inside. */
export function logRequest(log: Logger, ctx: Context): void {
  const { requestId, route, key, log: noted } = ctx.state;
  const status = noted.cancelled ? CLIENT_CLOSED_STATUS : ctx.res.statusCode;
  const line = {
    requestId,
    method: ctx.method,
    route,
    status,
    durationMs: elapsedMs(ctx),
    keyId: key?.keyId,
    model: noted.model,
    costUsd: noted.costNanos === undefined ? undefined : usdTextOf(noted.costNanos),
  };
  const { error } = noted;
  if (!('error' in noted) || noted.cancelled) return log.info(line, 'request');
  if (asApiError(error, requestId).status < 500)
    return log.info({ ...line, error: (error as Error).message }, 'request');
  log.error({ ...line, err: error, cause: causeOf(error) }, 'request failed');
}

/** The line of what never became a request: which answer was about it, and why. */
export function logRefusal(log: Logger, { requestId, status, message }: Refusal): void {
  log.info({ requestId, status, error: message }, 'request');
}

function causeOf(error: unknown): unknown {
  const cause = (error as Error | null)?.cause;
  return cause === undefined ? undefined : pino.stdSerializers.err(cause as Error);
}
