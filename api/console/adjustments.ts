import type { z } from 'zod';
import {
  updateDecision,
  readAdjustments,
  insertAdjustment,
  type AdjustmentRefusal,
  type AdjustmentRow,
} from '../../db/payments/adjustments.ts';
import { readWorkspaceNames } from '../../db/workspaces/workspaces.ts';
import { approvalRefusal, type Person } from '../../db/workspaces/secondPerson.ts';
import { nanosOfUsd, usdOf } from '../../db/money.ts';
import { pathId } from '../body/parseWith.ts';
import type { Handler } from '../context.ts';
import { personOf, personRequired, secondPersonRequired } from '../guard/person.ts';
import { answerPage } from '../http/page.ts';
import type { ApiError } from '../../base/errors/apiError.ts';
import { conflict, notFound } from '../../base/errors/requestErrors.ts';
import type { Services } from '../services.ts';
import type { AdjustmentAnswer } from './operationsAnswers.ts';
import type { AdjustmentBody, AdjustmentQuery } from './operationsSchema.ts';

/** `POST /console/v1/adjustments`: requests a change of a balance. No money moves before another person approves it. */
export function createAdjustment({ db }: Services): Handler<z.output<typeof AdjustmentBody>> {
  return async (ctx) => {
    const { workspace_id: workspaceId, amount_usd: usd, reason } = ctx.state.input;
    const order = {
      id: ctx.state.resourceId,
      workspaceId,
      amountNanos: nanosOfUsd(usd),
      reason,
      by: await personOf(db, ctx),
    };
    // Read before it is stored: an error afterwards would make the operator request another one.
    const names = await readWorkspaceNames(db.everywhere, [workspaceId]);
    const made = await insertAdjustment(db.everywhere, order);
    if (!made) throw notFound(`No workspace with the id '${workspaceId}'.`, 'workspace_not_found');
    ctx.status = 201;
    ctx.body = present(made, order.by, names);
  };
}

/** `GET /console/v1/adjustments`: of all workspaces, newest first. */
export function listAdjustments({ db, cursors }: Services): Handler<z.output<typeof AdjustmentQuery>> {
  return async (ctx) => {
    const { status, workspace } = ctx.state.input;
    const filter = { ...(status && { status }), ...(workspace !== undefined && { workspaceId: workspace }) };
    const person = await personOf(db, ctx);
    let names: Names = new Map();
    await answerPage(ctx, cursors, {
      list: `adjustments ${status ?? ''} ${workspace ?? ''}`,
      read: async (page) => {
        const found = await readAdjustments(db.everywhere, filter, page);
        const ids = found.rows.map(({ workspaceId }) => workspaceId);
        names = await readWorkspaceNames(db.everywhere, ids);
        return found;
      },
      present: (row) => present(row, person, names),
    });
  };
}

/** `POST /console/v1/adjustments/{adjustment_id}/approve` and `…/reject`: decides once. An approval moves the money. */
export function decideAdjustment({ db }: Services, status: 'approved' | 'rejected'): Handler {
  return async (ctx) => {
    const id = pathId(ctx, 'adjustment_id');
    const by = await personOf(db, ctx);
    ctx.body = await db.everywhere.transaction(async (tx) => {
      const decided = await updateDecision(tx, id, { status, by });
      if (typeof decided === 'string') throw refusalOf(decided, id);
      return present(decided, by, await readWorkspaceNames(tx, [decided.workspaceId]));
    });
  };
}

function refusalOf(refusal: AdjustmentRefusal, id: string): ApiError {
  switch (refusal) {
    case 'not_found':
      return notFound(`No adjustment with the id '${id}'.`, 'adjustment_not_found');
    case 'decided':
      return conflict('adjustment_decided', 'This adjustment was approved or rejected before.');
    case 'same_person':
      return secondPersonRequired('this adjustment');
    case 'unknown_person':
      return personRequired('Adjustments are approved');
    case 'balance_too_small':
      return conflict(
        'balance_too_small',
        'The balance, without what is held, does not cover this. Nothing was changed.',
      );
    default:
      return refusal satisfies never;
  }
}

type Names = Awaited<ReturnType<typeof readWorkspaceNames>>;

function present(row: AdjustmentRow, reader: Person, names: Names): z.infer<typeof AdjustmentAnswer> {
  return {
    id: row.id,
    object: 'adjustment',
    workspace_id: row.workspaceId,
    workspace_name: names.get(row.workspaceId) ?? null,
    amount_usd: usdOf(row.amountNanos),
    reason: row.reason,
    status: row.status,
    may_approve: row.status === 'pending' && approvalRefusal(row, reader) === undefined,
    requested_by: row.requester,
    decided_by: row.decider,
    created_at: row.createdAt.toISOString(),
    decided_at: row.decidedAt?.toISOString() ?? null,
  };
}
