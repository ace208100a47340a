import { defineEntity, p } from '@mikro-orm/core';

/** What one billed call was: written in the same statement as its debit. A failed call has a row and no entry. */
export const Request = defineEntity({
  name: 'Request',
  tableName: 'requests',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    keyId: p.text(),
    route: p.text(),
    model: p.text(),
    status: p.integer(),
    cancelled: p.boolean(),
    usage: p.json(),
    costNanos: p.bigint(),
    writtenOffNanos: p.bigint(),
    holdNanos: p.bigint(),
    startedAt: p.datetime(),
    firstByteMs: p.integer().nullable(),
    durationMs: p.integer(),
    streamBytes: p.integer(),
    /** Billed by the sweep from what was recorded of a stream: a final bill of its process, should one come, replaces it. */
    provisional: p.boolean().default(false),
  },
});
