import { Command, CommanderError, type Option, type OutputConfiguration } from 'commander';
import { createArchive } from '../../db/archive/archive.ts';
import { openArchiveFiles } from '../../db/archive/archiveFiles.ts';
import { openDatabase } from '../../db/database.ts';
import { isDatabaseDown } from '../../db/postgres/databaseErrors.ts';
import { type AdminCommand, type Outcome, UsageError } from './command.ts';
import { readAdminConfig, type AdminConfig } from './config.ts';
import { archiveRunCommand, archiveStatusCommand, archiveVerifyCommand } from './archive.ts';
import { eraseWorkspaceCommand, keepWorkspaceCommand } from './erasures.ts';
import { moveFilesCommand } from './files.ts';
import { exportWorkspaceCommand } from './exports.ts';
import { connectionsCommand } from './connections.ts';
import { createKeyCommand, listKeysCommand, revokeKeysCommand } from './keys.ts';
import { checkLedgerCommand, rotateBillKeyCommand } from './ledger.ts';
import { addPluginCommand, disablePluginCommand, listPluginsCommand, sealPluginsCommand } from './plugins.ts';
import { operatorCommand, signInLinkCommand } from './people.ts';
import { rotateKeysCommand } from './rotation/command.ts';
import { rebuildRunCommand } from './runs.ts';
import { guardWorkersCommand, listWorkersCommand, promoteWorkersCommand } from './workers.ts';
import { bootstrapCommand, createWorkspaceCommand, creditCommand, listWorkspacesCommand } from './workspaces.ts';

const COMMANDS: AdminCommand[] = [
  createKeyCommand,
  revokeKeysCommand,
  listKeysCommand,
  rotateKeysCommand,
  creditCommand,
  createWorkspaceCommand,
  listWorkspacesCommand,
  exportWorkspaceCommand,
  eraseWorkspaceCommand,
  keepWorkspaceCommand,
  moveFilesCommand,
  addPluginCommand,
  listPluginsCommand,
  disablePluginCommand,
  sealPluginsCommand,
  connectionsCommand,
  checkLedgerCommand,
  archiveStatusCommand,
  archiveRunCommand,
  archiveVerifyCommand,
  rotateBillKeyCommand,
  rebuildRunCommand,
  listWorkersCommand,
  promoteWorkersCommand,
  guardWorkersCommand,
  signInLinkCommand,
  operatorCommand,
  bootstrapCommand,
];

/** The result of a command line: its output and its exit code. */
export interface Ended {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** Runs one command line. Never rejects: exit code 2 and the usage for a wrong line, 1 and the reason for a failed command. */
export async function run(args: string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  try {
    const { stdout, exitCode } = await perform(args, env);
    return { stdout: `${stdout.trimEnd()}\n`, stderr: '', exitCode };
  } catch (error) {
    const { message } = error as Error;
    return { stdout: '', stderr: `${message}\n`, exitCode: error instanceof UsageError ? 2 : 1 };
  }
}

async function perform(args: string[], env: NodeJS.ProcessEnv): Promise<Pick<Ended, 'stdout' | 'exitCode'>> {
  const ending = { stdout: '', exitCode: 0 };
  let refusal = '';
  const onCommand: OnCommand = async (command, { json: isJson, ...values }, names) => {
    const outcome = await runCommand(command, readAdminConfig(env), values, names);
    ending.stdout = isJson ? JSON.stringify(outcome.json) : outcome.text;
    ending.exitCode = outcome.hasFailed ? 1 : 0;
  };
  const program = createProgram(onCommand, {
    writeOut: (text) => void (ending.stdout += text),
    writeErr: (text) => void (refusal += text),
  });
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new UsageError(refusal.trimEnd());
  }
  return ending;
}

type OnCommand = (command: AdminCommand, values: { json?: true }, names: string[]) => Promise<void>;

function createProgram(onCommand: OnCommand, output: OutputConfiguration): Command {
  const program = new Command('npm run admin --')
    .configureOutput(output)
    .exitOverride()
    .showHelpAfterError()
    .configureHelp({ visibleCommands: leavesOf, subcommandTerm: (leaf) => `${wordsOf(leaf)} ${leaf.usage()}` })
    .addHelpText('after', '\nA command with --help lists its options.');
  for (const command of COMMANDS) {
    const [word, ...rest] = command.words.split(' ');
    const group =
      rest.length > 0 ? (program.commands.find((one) => one.name() === word) ?? program.command(word!)) : program;
    const leaf = group
      .command(rest[0] ?? word!)
      .description(command.summary)
      .allowExcessArguments(false);
    if (command.arguments !== undefined) leaf.argument(command.arguments);
    for (const option of command.options ?? []) {
      leaf.addOption(option);
      refuseTwice(leaf, option);
    }
    leaf.option('--json', 'print the result as JSON').action(() => onCommand(command, leaf.opts(), leaf.args));
  }
  return program;
}

// Commander takes the last one: of two amounts or workspaces one is a mistake. Lists say that they may be repeated.
function refuseTwice(leaf: Command, option: Option): void {
  if (option.description.includes('may be repeated')) return;
  let isGiven = false;
  leaf.on(`option:${option.name()}`, () => {
    if (isGiven) leaf.error(`error: option '${option.flags}' was given twice`);
    isGiven = true;
  });
}

/** All commands of the program or of a group, without the groups themselves. */
function leavesOf(program: Command): Command[] {
  return program.commands.flatMap((one) => (one.commands.length > 0 ? one.commands : [one]));
}

function wordsOf(leaf: Command): string {
  return leaf.parent?.parent ? `${leaf.parent.name()} ${leaf.name()}` : leaf.name();
}

async function runCommand(
  command: AdminCommand,
  config: AdminConfig,
  values: object,
  names: string[],
): Promise<Outcome> {
  const db = await openDatabase({
    url: config.databaseUrl,
    // Beside a running installation: few connections.
    mainMax: 4,
    readingMax: 2,
    fileStore: config.fileStore,
    archive: createArchive(config.archiveStore && openArchiveFiles(config.archiveStore)),
    spends: false,
    onError: () => {},
  }).catch((error) => {
    const { cause = error } = error as Error;
    throw unreachable(config.databaseUrl, cause as Error);
  });
  try {
    return await command.run({ db, config }, values, names);
  } catch (error) {
    throw explained(config.databaseUrl, error as Error & { code?: string });
  } finally {
    await db.close();
  }
}

// PostgreSQL's codes of a table, a column and a function that are not there.
const MISSING = new Set(['42P01', '42703', '42883']);

function explained(databaseUrl: string, error: Error & { code?: string }): Error {
  if (isDatabaseDown(error)) return interrupted(databaseUrl, error);
  if (!MISSING.has(error.code ?? '')) return error;
  const { host, pathname } = new URL(databaseUrl);
  const advice = 'run npm run migrate, or set DATABASE_URL to another one';
  return new Error(`The database ${pathname.slice(1)} at ${host} has no tables of this release: ${advice}.`, {
    cause: error,
  });
}

// The commands change all or nothing, or go on where they were.
function interrupted(databaseUrl: string, cause: Error): Error {
  const advice = 'see that it runs and may be written, then repeat the command';
  return new Error(`The database at ${new URL(databaseUrl).host} refused (${cause.message}): ${advice}.`, { cause });
}

// Names the database without the password in its address.
function unreachable(databaseUrl: string, cause: Error & { code?: string }): Error {
  const { host } = new URL(databaseUrl);
  const reason = cause.message || cause.code;
  const advice = 'start the installation with npm start, or set DATABASE_URL';
  return new Error(`The database at ${host} cannot be used (${reason}): ${advice}.`, { cause });
}
