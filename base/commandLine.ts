import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * The options of this program's command line. `--help` prints the usage and ends the program; what is unknown or wrong prints the reason
 * and the usage, with the exit code 2.
 */
export function readOptions<Options extends NonNullable<ParseArgsConfig['options']>>(usage: string, options: Options) {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return refuseLine((error as Error).message, usage);
  }
}

/** Ends the program for a wrong command line. */
export function refuseLine(reason: string, usage: string): never {
  process.stderr.write(`${reason}\n\n${usage}\n`);
  process.exit(2);
}
