import { pino, type DestinationStream, type Logger } from 'pino';
import { isoTimeOf } from '../base/isoTime.ts';
import { traceFields, tracing } from '../base/tracing.ts';
import { usdTextOf } from '../db/money.ts';
import { CLIENT_CLOSED_STATUS, elapsedMs } from './http/answer.ts';
import { asApiError } from './guard/errors.ts';
import type { Context } from './context.ts';
import type { Refusal } from './server.ts';

// A key may also appear with escaped characters, as in the path of a request.
const KEY_PATTERN = /((?:_|%5f)live(?:_|%5f)|sk(?:_|%5f)test(?:_|%5f)|ek_)(?:[\da-z]|%[\da-f]{2})+/gi;

/** The process's log: one JSON line per event, with secrets removed wherever they occur. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: undefined,
      ...(tracing && { mixin: traceFields }),
      timestamp: () => `,"time":"${isoTimeOf(Date.now())}"`,
      hooks: {
        streamWrite: withoutSecrets,
      },
    },
    destination,
  );
}

/** A text in which keys are replaced. */
export const withoutSecrets = (text: string): string =>
  text.includes('live') || text.includes('test') || text.includes('ek_')
    ? text.replace(KEY_PATTERN, '$1[secret]')
    : text;

/** The log line of a request: route, result, cost and duration, and the cause of an internal failure. */
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

/** The log line of input that never became a request: the answer, and the reason. */
export function logRefusal(log: Logger, { requestId, status, message }: Refusal): void {
  log.info({ requestId, status, error: message }, 'request');
}

function causeOf(error: unknown): unknown {
  const cause = (error as Error | null)?.cause;
  return cause === undefined ? undefined : pino.stdSerializers.err(cause as Error);
}
