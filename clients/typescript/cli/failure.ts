import { ExitCode } from './exitCodes.ts';

/** An end that a command decides: what went wrong, what to do next, and the exit code. */
export class Failure extends Error {
  readonly hint: string | undefined;
  readonly exitCode: number;

  constructor(message: string, { hint, exitCode = ExitCode.failed }: { hint?: string; exitCode?: number } = {}) {
    super(message);
    this.hint = hint;
    this.exitCode = exitCode;
  }
}

/** Wrong options or arguments, which the parser could not see. */
export const usageError = (message: string, hint?: string): Failure =>
  new Failure(message, { exitCode: ExitCode.usage, ...(hint && { hint }) });
