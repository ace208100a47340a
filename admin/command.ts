import type { ParseArgsOptionsConfig } from 'node:util';
import type { Database } from '../db/database.ts';
import type { AdminConfig } from './config.ts';
import type { Options } from './options.ts';

/** What a command is given. */
export interface Input {
  db: Database;
  config: AdminConfig;
  options: Options;
  /** What stands on the line beside the options. */
  names: string[];
}

/** What a command has to say: lines for people, a value for machines, and whether it found what it should not. */
export interface Outcome {
  text: string;
  json: unknown;
  hasFailed?: boolean;
}

/** One command of the line. */
export interface Command {
  /** Its words: `keys create`. */
  words: string;
  /** What follows them, for the help. */
  usage: string;
  summary: string;
  options: ParseArgsOptionsConfig;
  /** Whether names may follow. */
  takesNames?: true;
  run(input: Input): Promise<Outcome>;
}
