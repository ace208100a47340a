import type { Command } from 'commander';
import type { GlobalOptions } from './globalOptions.ts';
import { safeText } from './safeText.ts';

/** Prints a line of the result. */
export const print = (text: string): void => write(process.stdout, text);

/** Says something beside the result, which a program that reads the result does not see. */
export const say = (text: string): void => write(process.stderr, text);

const write = (stream: NodeJS.WriteStream, text: string): void =>
  void stream.write(`${stream.isTTY ? safeText(text) : text}\n`);

export const wantsJson = (command: Command): boolean => command.optsWithGlobals<GlobalOptions>().json === true;

/** Prints a result: with `--json` as JSON, and as `text` makes it for people otherwise. */
export function printResult<Result>(command: Command, result: Result, text: (result: Result) => string): void {
  print(wantsJson(command) ? JSON.stringify(result, null, 2) : text(result));
}

/** A heading of `--help` with lines of a command and what it does. */
export function withExamples(command: Command, examples: [string, string?][]): Command {
  const lines = examples.map(([line, meaning]) => (meaning ? `  # ${meaning}\n  $ ${line}` : `  $ ${line}`));
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}
