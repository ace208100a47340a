import { usdOf, usdTextOf } from '../../db/money.ts';
import { createWorkspace, findFirstWorkspace, findWorkspace, listWorkspaces } from '../../db/workspaces/workspaces.ts';
import { newId } from '../../db/ids.ts';
import { isDatabaseDown } from '../../db/postgres/databaseErrors.ts';
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
    if (!first) throw new Error('There is no workspace yet: make the first one, its key and its owner with bootstrap.');
    return first.id;
  }
  if (!(await findWorkspace(db.everywhere, id)))
    throw new Error(`There is no workspace ${id}. All of them: workspaces list.`);
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
  id?: string;
  workspace?: string;
}

export const creditCommand: AdminCommand<Credit> = {
  words: 'credit',
  summary: 'Adds to a balance without a payment; a negative amount takes away, at most what is not held.',
  options: [
    amountOption('--usd <amount>', 'US dollars to add').makeOptionMandatory(),
    textOption('--reason <text>', 'why; kept in the ledger'),
    textOption('--id <id>', 'id of an earlier try with the same reason: the balance is adjusted once'),
    workspaceOption,
  ],
  async run(input, { usd: amountNanos, reason, id = newId('adj'), workspace }) {
    const { db } = input;
    if (amountNanos === 0n) throw new UsageError('--usd must be an amount other than zero');
    if (!/^adj_\w+$/.test(id)) throw new UsageError('--id must be the id of an earlier try, adj_…');
    const workspaceId = await chosenWorkspaceId(input, workspace);
    // The hash chain covers the reason, because it is part of the entry.
    const isNew = await adjust(input, { workspaceId, amountNanos, id, subject: `${id} ${reason ?? ''}`.trim() });
    await db.ledger.posted();
    const { postedNanos } = await db.ledger.balanceOf(workspaceId);
    const done = isNew ? 'Adjusted' : 'Nothing was changed, an earlier try had adjusted';
    return {
      text: `${done} ${workspaceId} by ${usdTextOf(amountNanos)} USD; the balance is ${usdTextOf(postedNanos)} USD.`,
      json: { workspace_id: workspaceId, amount_usd: usdOf(amountNanos), balance_usd: usdOf(postedNanos) },
    };
  },
};

/** Moves the money once for a subject. Returns whether it did now. */
async function adjust(
  { db }: Input,
  { id, ...order }: { id: string; subject: string; workspaceId: string; amountNanos: bigint },
): Promise<boolean> {
  try {
    return await db.ledger.transfer({ kind: 'adjustment', houseAccountId: 'adjustments', ...order });
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === 'P0001') throw new Error(`${message}: nothing was changed.`, { cause: error });
    // Without its id a repetition would adjust twice.
    if (isDatabaseDown(error)) throw new Error(unknownAfter(message, id), { cause: error });
    throw error;
  }
}

const unknownAfter = (reason: string, id: string) =>
  `The database went away (${reason}), so it is not known whether the balance was adjusted: repeat the same command with --id ${id}, which adjusts once.`;

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
