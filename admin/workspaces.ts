import { usdOf, usdTextOf } from '../db/money.ts';
import { createWorkspace, findFirstWorkspace, findWorkspace, listWorkspaces } from '../db/workspaces.ts';
import type { Command, Input } from './command.ts';
import { tableOf } from './table.ts';

/** The workspace that `--workspace` names, else the first one. Throws a sentence when there is none. */
export async function chosenWorkspaceId({ db, options }: Input): Promise<string> {
  const id = options.text('workspace');
  if (id === undefined) {
    const first = await findFirstWorkspace(db.pool);
    if (!first) throw new Error('There is no workspace yet: make one with workspaces create --name NAME.');
    return first.id;
  }
  if (!(await findWorkspace(db.pool, id))) throw new Error(`There is no workspace ${id}.`);
  return id;
}

export const createWorkspaceCommand: Command = {
  words: 'workspaces create',
  usage: '--name NAME',
  summary: 'Makes a workspace with an empty account.',
  options: { name: { type: 'string' } },
  async run({ db, options }) {
    const name = options.requiredText('name');
    const id = await createWorkspace(db.pool, name);
    return { text: `Made the workspace ${id}.`, json: { id, name } };
  },
};

export const listWorkspacesCommand: Command = {
  words: 'workspaces list',
  usage: '',
  summary: 'Lists the workspaces with their balances, oldest first.',
  options: {},
  async run({ db }) {
    const rows = await Promise.all((await listWorkspaces(db.pool)).map((workspace) => withBalance(db, workspace)));
    const heading = ['ID', 'NAME', 'CREATED', 'BALANCE USD', 'HELD USD'];
    const cells = rows.map(({ id, name, createdAt, balance }) => [
      id,
      name,
      createdAt.toISOString(),
      usdTextOf(balance.postedNanos),
      usdTextOf(balance.heldNanos),
    ]);
    return { text: tableOf([heading, ...cells]), json: rows.map(presentWorkspace) };
  },
};

type Workspace = Awaited<ReturnType<typeof listWorkspaces>>[number];

async function withBalance(db: Input['db'], workspace: Workspace) {
  return { ...workspace, balance: await db.ledger.balanceOf(workspace.id) };
}

function presentWorkspace({ id, name, createdAt, balance }: Awaited<ReturnType<typeof withBalance>>) {
  return {
    id,
    name,
    created_at: createdAt.toISOString(),
    balance_usd: usdOf(balance.postedNanos),
    held_usd: usdOf(balance.heldNanos),
  };
}
