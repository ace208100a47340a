import {
  APIConnectionError,
  APIError,
  AuthenticationError,
  InsufficientBalanceError,
  PermissionDeniedError,
} from '../src/index.ts';
import { config } from './config.ts';
import { connectionOf } from './credentials/connection.ts';
import { ExitCode } from './exitCodes.ts';
import { Failure } from './failure.ts';
import type { GlobalOptions } from './globalOptions.ts';
import { say } from './output.ts';
import { err } from './terminal/colors.ts';

/** Says what went wrong and what to do next; answers with the exit code. With `--json` it is an object for programs. */
export function printError(error: unknown, options: GlobalOptions): number {
  const { message, hint, exitCode } = explain(error, options);
  const of = error instanceof APIError ? error : null;
  if (options.json) {
    const details = of && { status: of.status, code: of.code, param: of.param, request_id: of.requestId };
    say(JSON.stringify({ error: { message, hint, exit_code: exitCode, ...details } }));
    return exitCode;
  }
  const details = [of?.code, of?.param && `at ${of.param}`, of?.requestId].filter(Boolean).join(', ');
  const start = exitCode === ExitCode.interrupted ? '' : `${err.red('error:')} `;
  say(`${start}${message}${details && err.dim(` (${details})`)}`);
  if (hint) say(hint);
  if (config.isDebugging && error instanceof Error) say(err.dim(error.stack ?? ''));
  return exitCode;
}

/** The exit code of an error. */
export const exitCodeOf = (error: unknown, options: GlobalOptions): number => explain(error, options).exitCode;

interface Explained {
  message: string;
  hint?: string | undefined;
  exitCode: number;
}

function explain(error: unknown, options: GlobalOptions): Explained {
  const { message } = error as Error;
  if (error instanceof Failure) return { message, hint: error.hint, exitCode: error.exitCode };
  if (error instanceof APIConnectionError) return { message, hint: CONNECTION_HINT, exitCode: ExitCode.noAnswer };
  if (error instanceof AuthenticationError) return { message, hint: SIGN_IN_HINT, exitCode: ExitCode.notSignedIn };
  if (error instanceof PermissionDeniedError)
    return {
      message,
      hint: error.code === 'scope_not_allowed' ? SCOPE_HINT : undefined,
      exitCode: ExitCode.notSignedIn,
    };
  if (error instanceof InsufficientBalanceError)
    return { message, hint: moneyHint(error, options), exitCode: ExitCode.balance };
  const code = error instanceof APIError ? error.code : null;
  if (code === 'agent_not_found')
    return { message, hint: agentHint(connectionOf(options).baseUrl), exitCode: ExitCode.failed };
  return { message, hint: HINTS[code ?? ''], exitCode: ExitCode.failed };
}

const HINTS: Record<string, string> = {
  unsupported_input: 'An agent that takes data gets it by --data \'{"…": "…"}\' or --data @input.json.',
};

const agentHint = (baseUrl: string): string =>
  `Those of others are listed at ${baseUrl}/agents, your own by \`ledgerline agents\`.`;

const CONNECTION_HINT = 'Is it running there? --base-url or LEDGERLINE_BASE_URL name another address.';
const SIGN_IN_HINT = 'Sign in with `ledgerline login`, or set LEDGERLINE_API_KEY.';
const SCOPE_HINT = 'Sign in with more scopes, `ledgerline login --scopes …`, or use another key.';

function moneyHint({ code }: APIError, options: GlobalOptions): string {
  if (code !== null && code.endsWith('_spend_limit_reached'))
    return 'Raise the limit of the key, wait for its reset, or use another key.';
  return `Top up at ${connectionOf(options).baseUrl}/billing, or lower the cost of the request.`;
}
