import { pino, type Logger } from 'pino';
import { LedgerUnavailable } from '../db/postgres/ledgerUnavailable.ts';
import { usdTextOf } from '../db/money.ts';
import { elapsedMsOf } from '../calls/caller.ts';
import { CLIENT_CLOSED_STATUS } from '../calls/caller.ts';
import { asApiError } from '../calls/errors/asApiError.ts';
import type { Context } from './context.ts';
import type { Refusal } from './server.ts';

/** The log line of a request: route, result, cost and duration, and the cause of an internal failure. */
export function logRequest(log: Logger, ctx: Context): void {
  const { requestId, route, key, log: noted } = ctx.state;
  const status = noted.cancelled ? CLIENT_CLOSED_STATUS : ctx.res.statusCode;
  const line = {
    requestId,
    method: ctx.method,
    route,
    status,
    durationMs: elapsedMsOf(ctx.state),
    keyId: key?.keyId,
    model: noted.model,
    costUsd: noted.costNanos === undefined ? undefined : usdTextOf(noted.costNanos),
  };
  const { error } = noted;
  if (!('error' in noted) || noted.cancelled) return log.info(line, 'request');
  const answer = asApiError(error, requestId);
  if (answer.status < 500) return log.info({ ...line, code: answer.code, error: (error as Error).message }, 'request');
  // An outage fails many calls: each logs a line, and the database's log has the stack.
  if (error instanceof LedgerUnavailable)
    return log.error({ ...line, error: error.message, cause: messageOf(error.cause) }, 'request failed');
  log.error({ ...line, err: error, cause: causeOf(error) }, 'request failed');
}

/** The log line of input that never became a request: its answer and reason. */
export function logRefusal(log: Logger, { requestId, status, message }: Refusal): void {
  log.info({ requestId, status, error: message }, 'request');
}

const messageOf = (cause: unknown) => (Error.isError(cause) ? cause.message : undefined);

function causeOf(error: unknown): unknown {
  const cause = (error as Error | null)?.cause;
  return cause === undefined ? undefined : pino.stdSerializers.err(cause as Error);
}
