import { defineEntity, p } from '@mikro-orm/core';

/**
 * An `Idempotency-Key` that was used. `resourceId` is given at the first sight of it, so that whoever carries on after a crash makes the same
 * thing; the answer is kept for a day and sent again as it was.
 */
export const IdempotencyKey = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    workspaceId: p.text().primary(),
    route: p.text().primary(),
    key: p.text().primary(),
    fingerprint: p.blob(),
    resourceId: p.text(),
    /** Until then the first request is taken to be running. */
    runningUntil: p.datetime(),
    status: p.integer().nullable(),
    headers: p.json().nullable(),
    body: p.text().nullable(),
    createdAt: p.datetime().defaultRaw('now()').index(),
  },
});
