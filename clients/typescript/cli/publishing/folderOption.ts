import { Argument, type Command, Option } from 'commander';
import type { Ledgerline } from '../../src/index.ts';
import { readFolder, type AgentFolder } from '../agentFolder/readFolder.ts';
import { clientOf } from '../credentials/connection.ts';
import { say } from '../output.ts';
import { err } from '../terminal/colors.ts';
import { placing, Refused } from './findings.ts';
import { nameOf, ownAgent, type OwnAgent } from './ownAgents.ts';

export const folderArgument = (): Argument => new Argument('[folder]', 'the folder of the agent').default('.');

export const agentOption = (): Option =>
  new Option('-a, --agent <namespace/slug>', 'an agent of the workspace; that of this folder when left out');

/** Reads a folder, and says what in it is no part of an agent. */
export async function openFolder(folder: string): Promise<AgentFolder> {
  const read = await placing(
    () => undefined,
    () => readFolder(folder),
  );
  for (const note of read.notes) say(err.dim(note));
  return read;
}

/** The agent that a command is about, and the client that knows it. */
export async function agentOf(command: Command, argument?: string): Promise<{ client: Ledgerline; agent: OwnAgent }> {
  const client = await clientOf(command);
  const { agent: named } = command.opts<{ agent?: string }>();
  const name = argument ?? named ?? nameOf(await here());
  return { client, agent: await ownAgent(client, name) };
}

async function here(): Promise<AgentFolder> {
  try {
    return await readFolder('.');
  } catch (error) {
    const [finding] = (error as { findings?: Refused['findings'] }).findings ?? [];
    if (!finding) throw error;
    throw new Refused([finding], { message: 'This folder is no agent: name one with --agent <namespace/slug>.' });
  }
}
