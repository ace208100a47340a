import { APIError, type LedgerlineError } from '../src/index.ts';

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Says what went wrong and what to do next. */
export function printError(error: LedgerlineError): void {
  const details =
    error instanceof APIError ? [error.code, error.param, error.requestId].filter(Boolean).join(', ') : '';
  process.stderr.write(`error: ${error.message}${details && ` (${details})`}\n`);
}
