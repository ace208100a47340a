import { Command } from 'commander';
import { LedgerlineError } from '../src/index.ts';
import { whoami } from './commands/whoami.ts';
import { printError } from './output.ts';

const VERSION = '0.1.0';

const program = new Command('ledgerline')
  .description('Agents, files, keys and bills of a Ledgerline installation, from a terminal.')
  .version(VERSION)
  .option('--base-url <url>', 'the installation (LEDGERLINE_BASE_URL, or that of the login)')
  .option('--json', 'print JSON for programs')
  .showHelpAfterError('(ledgerline --help lists the commands)');

program.addCommand(whoami());

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof LedgerlineError)) throw error;
  printError(error);
  process.exitCode = 1;
}
