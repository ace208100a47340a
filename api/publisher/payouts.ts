import type { z } from 'zod';
import { nanosOfUsd, usdOf } from '../../db/money.ts';
import { readPayouts, requestPayout, type PayoutRow } from '../../db/payments/payouts.ts';
import type { Handler } from '../context.ts';
import { conflict } from '../../base/errors/requestErrors.ts';
import { personOf } from '../guard/person.ts';
import { requireLive } from '../guard/testMode.ts';
import { answerPage, type PageInput } from '../http/page.ts';
import type { Services } from '../services.ts';
import type { PayoutAnswer } from './publisherAnswers.ts';
import type { PayoutBody } from './publisherSchema.ts';

/**
 * `POST /v1/publisher/payouts`: pays out earnings, to the workspace's own balance or as a transfer. 409 `earnings_too_small`, and
 * `live_mode_only` in a test workspace; the same `Idempotency-Key` pays once.
 */
export function createPayout({ db, config }: Services): Handler<z.output<typeof PayoutBody>> {
  return async (ctx) => {
    requireLive(ctx);
    const { amount_usd: usd, to: destination } = ctx.state.input;
    const amountNanos = usd === undefined ? null : nanosOfUsd(usd);
    const by = await personOf(db, ctx);
    const order = { id: ctx.state.resourceId, amountNanos, destination, by, matureDays: config.earningsMatureDays };
    const made = await requestPayout(db.write(ctx.state.key.workspaceId), order);
    if (!made) throw earningsTooSmall(destination);
    ctx.status = 201;
    ctx.body = presentPayout(made);
  };
}

/** `GET /v1/publisher/payouts`: of the workspace, newest first. */
export function listPayouts({ db, cursors }: Services): Handler<PageInput> {
  return (ctx) =>
    answerPage(ctx, cursors, {
      list: 'publisher.payouts',
      read: (page) => readPayouts(db.read(ctx.state.key.workspaceId), {}, page),
      present: presentPayout,
    });
}

const earningsTooSmall = (destination: 'balance' | 'transfer') =>
  conflict(
    'earnings_too_small',
    'The earnings that can be paid out now do not cover this: ' +
      `\`${destination === 'balance' ? 'available' : 'transferable'}_usd\` of the statement has them, and ` +
      '`maturing_usd` what has to wait.',
  );

/** A payout in the publisher's form. */
export const presentPayout = (row: PayoutRow): z.infer<typeof PayoutAnswer> => ({
  id: row.id,
  object: 'publisher.payout',
  amount_usd: usdOf(row.amountNanos),
  to: row.destination,
  status: row.status,
  reference: row.reference,
  reason: row.reason,
  requested_by: row.requester,
  created_at: row.createdAt.toISOString(),
  // A payout to the balance of an earlier release has no time of its own.
  ended_at: (row.decidedAt ?? (row.status === 'paid' ? row.createdAt : null))?.toISOString() ?? null,
});
