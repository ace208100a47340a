import { z } from 'zod';
import {
  approvalRefusal,
  decideAdjustment as decide,
  listAdjustments as readAdjustments,
  requestAdjustment as request,
  type AdjustmentRefusal,
  type AdjustmentRow,
  type Person,
} from '../../db/adjustments.ts';
import { findKeyOwner } from '../../db/keys/keyStore.ts';
import { isWholeNanos, nanosOfUsd, usdOf } from '../../db/money.ts';
import { pathId } from '../body/parseWith.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { answerPage, pageQuery } from '../http/page.ts';
import { ApiError } from '../errors/apiError.ts';
import { conflict, notFound } from '../errors/requestErrors.ts';
import type { Services } from '../services.ts';
import type { AdjustmentAnswer } from './operationsDocs.ts';

const AMOUNT_USD_MAX = 100_000;

export const AdjustmentBody = z.strictObject({
  workspace_id: z.string().min(1).max(100),
  amount_usd: z
    .number()
    .min(-AMOUNT_USD_MAX)
    .max(AMOUNT_USD_MAX)
    .refine((usd) => usd !== 0, 'must not be zero')
    .refine(isWholeNanos, 'must have at most nine decimals')
    .describe('What is added to the balance; below zero, what is taken away.'),
  reason: z.string().trim().min(1).max(500).describe('Kept in the ledger with the entry.'),
});

export const AdjustmentQuery = z.strictObject({
  status: z.enum(['pending', 'approved', 'rejected']).optional(),
  workspace: z.string().min(1).max(100).optional(),
  ...pageQuery,
});

/** `POST /console/v1/adjustments`: requests a change of a balance. No money moves before another person approves it. */
export function createAdjustment({ db }: Services): Handler {
  return async (ctx) => {
    const { workspace_id: workspaceId, amount_usd: usd, reason } = ctx.state.input as z.output<typeof AdjustmentBody>;
    const order = {
      id: ctx.state.resourceId,
      workspaceId,
      amountNanos: nanosOfUsd(usd),
      reason,
      by: await personOf(db, ctx),
    };
    const made = await request(db.everywhere, order);
    if (!made) throw notFound(`No workspace with the id '${workspaceId}'.`, 'workspace_not_found');
    ctx.status = 201;
    ctx.body = present(made, order.by);
  };
}

/** `GET /console/v1/adjustments`: of all workspaces, newest first. */
export function listAdjustments({ db, cursors }: Services): Handler {
  return async (ctx) => {
    const { status, workspace } = ctx.state.input as z.output<typeof AdjustmentQuery>;
    const filter = { ...(status && { status }), ...(workspace !== undefined && { workspaceId: workspace }) };
    const person = await personOf(db, ctx);
    await answerPage(ctx, cursors, {
      list: `adjustments ${status ?? ''} ${workspace ?? ''}`,
      read: (page) => readAdjustments(db.everywhere, filter, page),
      present: (row) => present(row, person),
    });
  };
}

/** `POST /console/v1/adjustments/{adjustment_id}/approve` and `…/reject`: decides, once. An approval moves the money. */
export function decideAdjustment({ db }: Services, status: 'approved' | 'rejected'): Handler {
  return async (ctx) => {
    const id = pathId(ctx, 'adjustment_id');
    const by = await personOf(db, ctx);
    const decided = await decide(db.everywhere, id, { status, by });
    if (typeof decided === 'string') throw refusalOf(decided, id);
    ctx.body = present(decided, by);
  };
}

/** The signed-in person or, without a session, the creator of the key: one person, whatever keys and workspaces they have. */
async function personOf({ everywhere }: Services['db'], ctx: Context): Promise<Person> {
  const { key, member } = ctx.state;
  const userId = member?.userId ?? (await findKeyOwner(everywhere, key.keyId));
  const personId = userId ?? key.keyId;
  return { personId, isKnown: userId !== undefined, name: member?.name ?? key.name, ...actorOf(ctx) };
}

function refusalOf(refusal: AdjustmentRefusal, id: string): ApiError {
  switch (refusal) {
    case 'not_found':
      return notFound(`No adjustment with the id '${id}'.`, 'adjustment_not_found');
    case 'decided':
      return conflict('adjustment_decided', 'This adjustment was approved or rejected before.');
    case 'same_person':
      return new ApiError({
        status: 403,
        code: 'second_person_required',
        message: 'You asked for this adjustment. Have another operator approve it.',
      });
    case 'unknown_person':
      return new ApiError({
        status: 403,
        code: 'person_required',
        message:
          'Adjustments are approved by a person, and this key was made on the command line, which does not know whose it is. Sign in to the console, or use a key that was made there.',
      });
    case 'balance_too_small':
      return conflict(
        'balance_too_small',
        'The balance, without what is held, does not cover this. Nothing was changed.',
      );
    default:
      return refusal satisfies never;
  }
}

function present(row: AdjustmentRow, reader: Person): z.infer<typeof AdjustmentAnswer> {
  return {
    id: row.id,
    object: 'adjustment',
    workspace_id: row.workspaceId,
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
