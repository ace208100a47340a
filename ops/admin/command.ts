import { InvalidArgumentError, Option } from 'commander';
import type { Database } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { nanosOfUsd } from '../../db/money.ts';
import type { Actor } from '../../db/workspaces/audit.ts';
import type { AdminConfig } from './config.ts';

/** Thrown for a wrong command line: the message shows the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The arguments of every command. */
export interface Input {
  db: Database;
  config: AdminConfig;
}

/** The result of a command: lines of text, a value for `--json`, and whether the exit code is 1 without a thrown error. */
export interface Outcome {
  text: string;
  json: unknown;
  hasFailed?: boolean;
}

/** A command. `Values` are its parsed options by camel-cased name; `names` are its arguments. */
export interface AdminCommand<Values extends object = object> {
  /** The words on the command line: `keys create`. */
  words: string;
  summary: string;
  /** Its arguments as Commander writes them: `<run-id>`, `<ids...>`. */
  arguments?: string;
  options?: Option[];
  run(input: Input, values: Values, names: string[]): Promise<Outcome>;
}

/** Who the audit says has run a command: the platform, because a command line knows no person. */
export const byCommand = (): Actor => ({ keyId: null, requestId: newId('req') });

/** An option with a non-empty text. */
export const textOption = (flags: string, description: string) => new Option(flags, description).argParser(text);

/** A positive integer. */
export const countOption = (flags: string, description: string) =>
  new Option(flags, description).argParser((value) => {
    if (/^[1-9]\d{0,6}$/.test(value.trim())) return Number(value);
    throw new InvalidArgumentError('It must be a whole number from 1 to 9999999.');
  });

/** An amount in US dollars, as nano-USD. */
export const amountOption = (flags: string, description: string) =>
  new Option(flags, description).argParser((value) => {
    try {
      return nanosOfUsd(value.trim());
    } catch {
      throw new InvalidArgumentError('It must be an amount in US dollars like 10 or 0.5.');
    }
  });

/** A comma-separated list of at least one of these words. */
export const listOption = (flags: string, description: string, allowed: readonly string[]) =>
  new Option(flags, `${description}: ${allowed.join(', ')}`).argParser((value) => {
    const listed = new Set(value.trim().split(','));
    const unknown = [...listed].find((word) => !allowed.includes(word));
    if (unknown === undefined) return [...listed];
    throw new InvalidArgumentError(`"${unknown}" is not one of ${allowed.join(', ')}.`);
  });

export const workspaceOption = textOption('--workspace <id>', "workspace; the platform's first one by default");

/** Rows as text with aligned columns. The first row is the heading. */
export function tableOf(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  '));
  return lines.map((line) => line.trimEnd()).join('\n');
}

function text(value: string): string {
  if (value.trim() !== '') return value.trim();
  throw new InvalidArgumentError('It is empty.');
}
