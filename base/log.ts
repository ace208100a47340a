import { pino, type DestinationStream, type Logger } from 'pino';
import { isoTimeOf } from './isoTime.ts';
import { traceFields, tracing } from './tracing.ts';

// A key may also appear with escaped characters, as in the path of a request.
const KEY_PATTERN = /((?:_|%5f)live(?:_|%5f)|sk(?:_|%5f)test(?:_|%5f)|ek_)(?:[\da-z]|%[\da-f]{2})+/gi;

/** A program's log: one JSON line per event, in one shape for all programs, with secrets removed wherever they occur. */
export function createLog(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: undefined,
      ...(tracing && { mixin: traceFields }),
      timestamp: () => `,"time":"${isoTimeOf(Date.now())}"`,
      hooks: { streamWrite: withoutSecrets },
    },
    destination,
  );
}

/** A text in which keys are replaced. */
export const withoutSecrets = (text: string): string =>
  text.includes('live') || text.includes('test') || text.includes('ek_')
    ? text.replace(KEY_PATTERN, '$1[secret]')
    : text;

const LINE_MS = 1_000;
const MESSAGES_MAX = 5;

/**
 * Logs errors that come in bursts, as while a database is down: the first at once, with its stack; then one line a second with the count
 * and the messages.
 */
export function createErrorLog(log: Pick<Logger, 'warn'>, message: string): (err: unknown) => void {
  let count = 0;
  let messages = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function writeCrowd(): void {
    timer = undefined;
    if (count === 0) return;
    log.warn({ count, messages: [...messages] }, message);
    count = 0;
    messages = new Set();
    wait();
  }

  function wait(): void {
    timer = setTimeout(writeCrowd, LINE_MS).unref();
  }

  return (err) => {
    if (!timer) {
      log.warn({ err }, message);
      return wait();
    }
    count += 1;
    if (messages.size < MESSAGES_MAX) messages.add(Error.isError(err) ? err.message : String(err));
  };
}

const QUIET_MS = 30_000;

/**
 * Logs an outage in which tries fail by the hundred a minute: the first failure at once, as `begun`; the end as `over`, with the number of
 * failures and the seconds between the first and the last, once none has come for half a minute.
 */
export function createOutageLog(
  log: Pick<Logger, 'warn' | 'info'>,
  { begun, over }: { begun: string; over: string },
): (fields: object) => void {
  let outage: { failures: number; sinceMs: number; lastMs: number; timer: NodeJS.Timeout } | undefined;

  function end(): void {
    if (!outage) return;
    const { failures, sinceMs, lastMs } = outage;
    outage = undefined;
    log.info({ failures, seconds: Math.round((lastMs - sinceMs) / 1000) }, over);
  }

  return (fields) => {
    const lastMs = performance.now();
    if (!outage) {
      log.warn(fields, begun);
      outage = { failures: 0, sinceMs: lastMs, lastMs, timer: setTimeout(end, QUIET_MS).unref() };
    }
    outage.failures += 1;
    outage.lastMs = lastMs;
    outage.timer.refresh();
  };
}
