import { usdOf, usdTextOf } from '../../db/money.ts';
import { createWorkspace, findFirstWorkspace, findWorkspace, listWorkspaces } from '../../db/workspaces/workspaces.ts';
import { newId } from '../../db/ids.ts';
import { bootstrap } from '../../db/bootstrap.ts';
import { makeFirstOwner } from '../../db/accounts/signInLinks.ts';
import {
  type AdminCommand,
  amountOption,
  type Input,
  tableOf,
  textOption,
  UsageError,
  workspaceOption,
} from './command.ts';

/** The workspace of `--workspace`, otherwise the first. Throws if there is none. */
export async function chosenWorkspaceId({ db }: Input, id: string | undefined): Promise<string> {
  if (id === undefined) {
    const first = await findFirstWorkspace(db.everywhere);
    if (!first) throw new Error('There is no workspace yet: make one with workspaces create --name NAME.');
    return first.id;
  }
  if (!(await findWorkspace(db.everywhere, id))) throw new Error(`There is no workspace ${id}.`);
  return id;
}

export const createWorkspaceCommand: AdminCommand<{ name: string }> = {
  words: 'workspaces create',
  summary: 'Creates a workspace with an empty account.',
  options: [textOption('--name <name>', 'its name').makeOptionMandatory()],
  async run({ db }, { name }) {
    const id = await createWorkspace(db.everywhere, name);
    return { text: `Created the workspace ${id}.`, json: { id, name } };
  },
};

export const listWorkspacesCommand: AdminCommand = {
  words: 'workspaces list',
  summary: 'Lists the workspaces with their balances, oldest first.',
  async run({ db }) {
    const rows = await Promise.all(
      (await listWorkspaces(db.everywhere)).map((workspace) => withBalance(db, workspace)),
    );
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

interface Credit {
  usd: bigint;
  reason?: string;
  workspace?: string;
}

export const creditCommand: AdminCommand<Credit> = {
  words: 'credit',
  summary: 'Adds to a balance without a payment; a negative amount takes away, at most what is not held.',
  options: [
    amountOption('--usd <amount>', 'US dollars to add').makeOptionMandatory(),
    textOption('--reason <text>', 'why; kept in the ledger'),
    workspaceOption,
  ],
  async run(input, { usd: amountNanos, reason, workspace }) {
    const { db } = input;
    if (amountNanos === 0n) throw new UsageError('--usd must be an amount other than zero');
    const workspaceId = await chosenWorkspaceId(input, workspace);
    await adjust(input, workspaceId, amountNanos, reason);
    await db.ledger.posted();
    const { postedNanos } = await db.ledger.balanceOf(workspaceId);
    return {
      text: `Adjusted ${workspaceId} by ${usdTextOf(amountNanos)} USD; the balance is ${usdTextOf(postedNanos)} USD.`,
      json: { workspace_id: workspaceId, amount_usd: usdOf(amountNanos), balance_usd: usdOf(postedNanos) },
    };
  },
};

async function adjust({ db }: Input, workspaceId: string, amountNanos: bigint, reason = '') {
  // The hash chain covers the reason, because it is part of the entry.
  const subject = `${newId('adj')} ${reason}`.trim();
  const order = { kind: 'adjustment', houseAccountId: 'adjustments', subject, workspaceId, amountNanos };
  try {
    await db.ledger.transfer(order);
  } catch (error) {
    if ((error as { code?: string }).code !== 'P0001') throw error;
    throw new Error(`${(error as Error).message}: nothing was changed.`, { cause: error });
  }
}

export const bootstrapCommand: AdminCommand = {
  words: 'bootstrap',
  summary: 'Creates the first workspace with a key, credit and its owner, once. Prints one line of JSON.',
  async run({ db, config }) {
    const made = await bootstrap(db.everywhere, config.bootstrap);
    const { ownerEmail: email } = config.bootstrap;
    const signInPath = await makeFirstOwner(db.everywhere, { workspaceId: made.workspaceId, email });
    const result = { ...made, signInPath };
    return { text: JSON.stringify(result), json: result };
  },
};
