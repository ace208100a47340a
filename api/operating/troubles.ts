import type { z } from 'zod';
import { readTroubledWorkspaces } from '../../db/accounting/troubledWorkspaces.ts';
import { usdOf } from '../../db/money.ts';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import type { WorkspaceTroubles } from './platformAnswers.ts';
import type { TroubleQuery } from './platformDocs.ts';

/** `GET /console/v1/platform/workspaces`: the workspaces that somebody should look at. */
export function listTroubles({ db }: Services): Handler<z.output<typeof TroubleQuery>> {
  return async (ctx) => {
    await Promise.all([db.ledger.posted(), db.refusals.written()]);
    const { failing, low, writtenOff, absorbed } = await readTroubledWorkspaces(db.everywhere, ctx.state.input);
    ctx.body = {
      object: 'workspace_troubles',
      failing: failing.map(({ id, ...row }) => ({ workspace_id: id, ...row })),
      low: low.map(({ id, name, balanceNanos, level, lastUsedAt }) => ({
        workspace_id: id,
        name,
        balance_usd: usdOf(balanceNanos),
        level,
        last_used_at: lastUsedAt?.toISOString() ?? null,
      })),
      written_off: writtenOff.map(({ id, name, calls, writtenOffNanos }) => ({
        workspace_id: id,
        name,
        calls,
        written_off_usd: usdOf(writtenOffNanos),
      })),
      absorbed: absorbed.map(({ id, name, runs, absorbedNanos, code }) => ({
        workspace_id: id,
        name,
        runs,
        absorbed_usd: usdOf(absorbedNanos),
        code,
      })),
    } satisfies z.infer<typeof WorkspaceTroubles>;
  };
}
