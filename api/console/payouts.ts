import type { z } from 'zod';
import { approvalRefusal, type Person } from '../../db/workspaces/secondPerson.ts';
import { usdOf } from '../../db/money.ts';
import {
  endPayout,
  readPayouts,
  readPayoutWorkspaces,
  type PayoutEnding,
  type PayoutRefusal,
  type PayoutRow,
} from '../../db/payments/payouts.ts';
import { pathId } from '../body/parseWith.ts';
import type { Context, Handler } from '../context.ts';
import { answerPage } from '../http/page.ts';
import type { ApiError } from '../../base/errors/apiError.ts';
import { conflict, notFound } from '../../base/errors/requestErrors.ts';
import { personOf, personRequired, secondPersonRequired } from '../guard/person.ts';
import { presentPayout } from '../publisher/payouts.ts';
import type { Services } from '../services.ts';
import type { OperatorPayout } from './operationsAnswers.ts';
import type { PayoutListQuery, RejectedBody, SentBody } from './operationsSchema.ts';

/** `GET /console/v1/payouts`: of all workspaces, newest first. */
export function listAllPayouts({ db, cursors }: Services): Handler<z.output<typeof PayoutListQuery>> {
  return async (ctx) => {
    const { status, workspace } = ctx.state.input;
    const filter = { ...(status && { status }), ...(workspace !== undefined && { workspaceId: workspace }) };
    const person = await personOf(db, ctx);
    let workspaces: Workspaces = new Map();
    await answerPage(ctx, cursors, {
      list: `payouts ${status ?? ''} ${workspace ?? ''}`,
      read: async (page) => {
        const found = await readPayouts(db.everywhere, filter, page);
        workspaces = await readPayoutWorkspaces(db.everywhere, found.rows);
        return found;
      },
      present: (row) => present(row, person, workspaces),
    });
  };
}

/** `POST /console/v1/payouts/{payout_id}/send`: records that a transfer was sent, once. */
export function sendPayout(services: Services): Handler<z.output<typeof SentBody>> {
  return (ctx) => endTransfer(ctx, services, { status: 'sent', ...ctx.state.input });
}

/** `POST /console/v1/payouts/{payout_id}/reject`. */
export function rejectPayout(services: Services): Handler<z.output<typeof RejectedBody>> {
  return (ctx) => endTransfer(ctx, services, { status: 'rejected', ...ctx.state.input });
}

async function endTransfer(ctx: Context, { db }: Services, ending: PayoutEnding): Promise<void> {
  const id = pathId(ctx, 'payout_id');
  const by = await personOf(db, ctx);
  ctx.body = await db.everywhere.transaction(async (tx) => {
    const ended = await endPayout(tx, id, { ...ending, by });
    if (typeof ended === 'string') throw refusalOf(ended, id);
    return present(ended, by, await readPayoutWorkspaces(tx, [ended]));
  });
}

function refusalOf(refusal: PayoutRefusal, id: string): ApiError {
  switch (refusal) {
    case 'not_found':
      return notFound(`No payout with the id '${id}'.`, 'payout_not_found');
    case 'ended':
      return conflict('payout_ended', 'This payout was paid, sent or rejected before.');
    case 'at_risk':
      return conflict(
        'payout_at_risk',
        'Since it was requested, payments were taken back that fed these earnings, or the workspace’s own ' +
          'balance: what is left of the earnings does not cover them. Reject it, or wait until the balances are above zero.',
      );
    case 'same_person':
      return secondPersonRequired('this payout');
    case 'unknown_person':
      return personRequired('Transfers are confirmed');
    default:
      return refusal satisfies never;
  }
}

type Workspaces = Awaited<ReturnType<typeof readPayoutWorkspaces>>;

const present = (row: PayoutRow, reader: Person, workspaces: Workspaces): z.infer<typeof OperatorPayout> => ({
  ...presentPayout(row),
  workspace_id: row.workspaceId,
  workspace_name: workspaces.get(row.workspaceId)?.name ?? null,
  decided_by: row.decider,
  balance_usd: usdOf(workspaces.get(row.workspaceId)?.balanceNanos ?? 0n),
  earned_from: row.earnedFrom?.toISOString() ?? null,
  earned_until: row.earnedUntil?.toISOString() ?? null,
  sources: (row.sources ?? []).map(({ workspaceId, nanos }) => {
    const source = workspaces.get(workspaceId);
    return {
      workspace_id: workspaceId,
      workspace_name: source?.name ?? null,
      earned_usd: usdOf(BigInt(nanos)),
      balance_usd: source ? usdOf(source.balanceNanos) : null,
    };
  }),
  may_confirm: row.status === 'requested' && approvalRefusal(row, reader) === undefined,
});
