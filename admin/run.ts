import { parseArgs } from 'node:util';
import { openDatabase } from '../db/database.ts';
import { bootstrapCommand } from './bootstrap.ts';
import type { Command, Outcome } from './command.ts';
import { readAdminConfig, type AdminConfig } from './config.ts';
import { creditCommand } from './credit.ts';
import { createKeyCommand, listKeysCommand, revokeKeysCommand } from './keys.ts';
import { checkLedgerCommand } from './ledger.ts';
import { rebuildRunCommand } from './runs.ts';
import { createOptions, UsageError } from './options.ts';
import { addPluginCommand, disablePluginCommand, listPluginsCommand, sealPluginsCommand } from './plugins.ts';
import { createWorkspaceCommand, listWorkspacesCommand } from './workspaces.ts';

const COMMANDS: Command[] = [
  createKeyCommand,
  revokeKeysCommand,
  listKeysCommand,
  creditCommand,
  createWorkspaceCommand,
  listWorkspacesCommand,
  addPluginCommand,
  listPluginsCommand,
  disablePluginCommand,
  sealPluginsCommand,
  checkLedgerCommand,
  rebuildRunCommand,
  bootstrapCommand,
];

/** What is to be printed, and the exit code. */
export interface Ending {
  stdout: string;
  exitCode: number;
}

/** Runs one line of arguments. Throws `UsageError` when it is no command, else a sentence when the command can't be done. */
export async function run(args: string[], env: NodeJS.ProcessEnv): Promise<Ending> {
  if (args.includes('--help') || args[0] === 'help') return { stdout: help(), exitCode: 0 };
  const command = COMMANDS.find(({ words }) => words === args.slice(0, words.split(' ').length).join(' '));
  if (args.length === 0) throw new UsageError(help());
  if (!command) throw new UsageError(`There is no command "${args.slice(0, 2).join(' ')}".\n\n${help()}`);
  const { values, positionals } = parse(command, args.slice(command.words.split(' ').length));
  const config = readAdminConfig(env);
  const outcome = await perform(command, config, createOptions(values), positionals);
  return { stdout: values.json ? JSON.stringify(outcome.json) : outcome.text, exitCode: outcome.hasFailed ? 1 : 0 };
}

function parse({ words, usage, options, takesNames }: Command, args: string[]) {
  try {
    return parseArgs({
      args,
      options: { ...options, json: { type: 'boolean' } },
      allowPositionals: takesNames ?? false,
    });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\nUsage: ${words} ${usage}`);
  }
}

async function perform(
  command: Command,
  config: AdminConfig,
  options: ReturnType<typeof createOptions>,
  names: string[],
): Promise<Outcome> {
  const db = await openDatabase({ url: config.databaseUrl, spends: false, onError: () => {} }).catch((error) => {
    throw unreachable(config.databaseUrl, error as Error);
  });
  try {
    return await command.run({ db, config, options, names });
  } finally {
    await db.close();
  }
}

// Names the place without the password in its address.
function unreachable(databaseUrl: string, cause: Error & { code?: string }): Error {
  const { host } = new URL(databaseUrl);
  const reason = cause.message || cause.code;
  const advice = 'start the installation with npm start, or set DATABASE_URL';
  return new Error(`The database at ${host} cannot be used (${reason}): ${advice}.`, { cause });
}

function help(): string {
  const lines = COMMANDS.flatMap(({ words, usage, summary }) => [`  ${words} ${usage}`.trimEnd(), `      ${summary}`]);
  return ['Usage: npm run admin -- COMMAND [--json]', '', ...lines].join('\n');
}
