import { newId } from '../db/ids.ts';
import { usdOf, usdTextOf } from '../db/money.ts';
import type { Command } from './command.ts';
import { UsageError } from './options.ts';
import { chosenWorkspaceId } from './workspaces.ts';

export const creditCommand: Command = {
  words: 'credit',
  usage: '--usd 10 [--reason TEXT] [--workspace ID]',
  summary: 'Adds to a balance without a payment; takes away with --usd=-10, at most what is not held.',
  options: { usd: { type: 'string' }, reason: { type: 'string' }, workspace: { type: 'string' } },
  async run(input) {
    const { db, options } = input;
    const amountNanos = options.amount('usd');
    if (!amountNanos) throw new UsageError('--usd must be an amount other than zero');
    const workspaceId = await chosenWorkspaceId(input);
    await adjust(input, workspaceId, amountNanos, options.text('reason'));
    await db.ledger.posted();
    const { postedNanos } = await db.ledger.balanceOf(workspaceId);
    return {
      text: `Adjusted ${workspaceId} by ${usdTextOf(amountNanos)} USD; the balance is ${usdTextOf(postedNanos)} USD.`,
      json: { workspace_id: workspaceId, amount_usd: usdOf(amountNanos), balance_usd: usdOf(postedNanos) },
    };
  },
};

async function adjust({ db }: Parameters<Command['run']>[0], workspaceId: string, amountNanos: bigint, reason = '') {
  // The reason is part of the entry, so the hash chain covers it.
  const subject = `${newId('adj')} ${reason}`.trim();
  const order = { kind: 'adjustment', houseAccountId: 'adjustments', subject, workspaceId, amountNanos };
  try {
    await db.ledger.transfer(order);
  } catch (error) {
    if ((error as { code?: string }).code !== 'P0001') throw error;
    throw new Error(`${(error as Error).message}: nothing was changed.`, { cause: error });
  }
}
