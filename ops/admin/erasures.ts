import { Option } from 'commander';
import { cancelErasure, GRACE_DAYS, orderErasure, type ErasureRefusal } from '../../db/erasure/erasures.ts';
import { findWorkspace } from '../../db/workspaces/workspaces.ts';
import { type AdminCommand, byCommand, textOption, UsageError } from './command.ts';
import { chosenWorkspaceId } from './workspaces.ts';

const DAYS_MAX = 90;

const graceOption = new Option('--days <days>', `when it is erased; until then it can be cancelled (0 to ${DAYS_MAX})`)
  .default(GRACE_DAYS)
  .argParser((text) => {
    if (/^\d{1,2}$/.test(text.trim()) && Number(text) <= DAYS_MAX) return Number(text);
    throw new UsageError(`--days must be a whole number from 0 to ${DAYS_MAX}`);
  });

export const eraseWorkspaceCommand: AdminCommand<{ name: string; days: number }> = {
  words: 'workspaces erase',
  summary: 'Orders the erasure of a workspace: its keys end at once. Export it before.',
  arguments: '<id>',
  options: [textOption('--name <name>', 'its name, as a confirmation').makeOptionMandatory(), graceOption],
  async run(input, { name, days }, [id]) {
    const workspaceId = await chosenWorkspaceId(input, id);
    const workspace = await findWorkspace(input.db.everywhere, workspaceId);
    if (workspace!.name !== name)
      throw new UsageError(`The name of ${workspaceId} is not "${name}": nothing was changed.`);
    const ordered = await orderErasure(input.db.everywhere, { workspaceId, by: byCommand(), graceDays: days });
    if (typeof ordered === 'string') throw new Error(REFUSALS[ordered]);
    const dueAt = ordered.dueAt.toISOString();
    return {
      text:
        `${workspaceId} will be erased after ${dueAt}. Its keys have ended. Until then: npm run admin -- ` +
        `workspaces keep ${workspaceId}`,
      json: { id: ordered.id, workspace_id: workspaceId, erase_at: dueAt },
    };
  },
};

export const keepWorkspaceCommand: AdminCommand = {
  words: 'workspaces keep',
  summary: 'Cancels the erasure of a workspace, unless it has begun: the keys that it ended work again.',
  arguments: '<id>',
  async run(input, _values, [id]) {
    const workspaceId = await chosenWorkspaceId(input, id);
    const outcome = await cancelErasure(input.db.everywhere, { workspaceId, by: byCommand() });
    if (outcome !== 'cancelled') throw new Error(REFUSALS[outcome]);
    return { text: `${workspaceId} is not erased.`, json: { workspace_id: workspaceId } };
  },
};

const REFUSALS: Record<ErasureRefusal, string> = {
  not_found: 'There is no erasure of this workspace.',
  platform_workspace: 'This is the workspace of the platform itself, which cannot be erased.',
  payout_open: 'A transfer of earnings is open: send or reject it first.',
  started: 'The erasure has begun: it cannot be cancelled any more.',
};
