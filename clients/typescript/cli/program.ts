import { Command, CommanderError, type HelpConfiguration } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addCompletion } from './completion.ts';
import { printError } from './errors.ts';
import { ExitCode, exitCodesText } from './exitCodes.ts';
import type { GlobalOptions } from './globalOptions.ts';
import { hasColors, out, turnColorsOff } from './terminal/colors.ts';

/** Commands by the heading below which `--help` lists them. */
export type CommandGroups = Record<string, Command[]>;

/** Runs the command of the arguments; answers with the code of the exit. */
export async function runProgram(groups: CommandGroups): Promise<number> {
  endOnBrokenPipe();
  const program = createProgram(groups);
  if (process.argv.length <= 2) {
    program.outputHelp();
    return ExitCode.done;
  }
  try {
    await program.parseAsync();
    return Number(process.exitCode ?? ExitCode.done);
  } catch (error) {
    // Commander has printed its own.
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.done : ExitCode.usage;
    return printError(error, program.opts<GlobalOptions>());
  }
}

function createProgram(groups: CommandGroups): Command {
  const program = new Command('ledgerline')
    .description('Agents, files, keys and bills of a Ledgerline installation, from a terminal.')
    .version(manifest.version)
    .option('--base-url <url>', 'the installation (else LEDGERLINE_BASE_URL, else that of the login)')
    .option('--profile <name>', 'a stored login (ledgerline profiles list)')
    .option('--json', 'print JSON for programs')
    .option('--no-color', 'print no colours')
    .on('option:no-color', turnColorsOff)
    .configureHelp(helpStyle)
    .configureOutput({
      getOutHasColors: () => hasColors(process.stdout),
      getErrHasColors: () => hasColors(process.stderr),
    })
    .addHelpText('after', `\n${exitCodesText()}`)
    .helpCommand(false)
    .exitOverride();
  program.showHelpAfterError('(add --help for its options and examples)');
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(`${heading}:`);
    for (const command of commands) program.addCommand(command);
  }
  program.commandsGroup('Other:');
  addCompletion(program);
  settle(program);
  return program;
}

const helpStyle: HelpConfiguration = {
  styleTitle: (text) => out.bold(text),
  styleCommandText: (text) => out.cyan(text),
  styleSubcommandText: (text) => out.cyan(text),
  styleOptionText: (text) => out.cyan(text),
};

/** Commands that were made by themselves take the settings of the program: how they print, and that errors are thrown. */
function settle(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    settle(child);
  }
}

/** A reader that leaves early, such as `head`, ends the program without a word. */
function endOnBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(ExitCode.done);
    });
}
