import { defineEntity, p } from '@mikro-orm/core';

/** A running process that owns holds. It renews its lease every second; the sweep ends what an expired one left. */
export const Process = defineEntity({
  name: 'Process',
  tableName: 'processes',
  properties: {
    id: p.text().primary(),
    startedAt: p.datetime().defaultRaw('now()'),
    leaseUntil: p.datetime(),
    reapedAt: p.datetime().nullable(),
    /** What its running calls hold of each slice, in nano-USD by the id of the slice's hold: written with each renewal. */
    inUse: p.json().defaultRaw("'{}'"),
  },
});
