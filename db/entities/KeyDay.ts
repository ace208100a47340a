import { defineEntity, p } from '@mikro-orm/core';

/** What a key spent on one UTC day. Ceilings and usage figures are sums over these rows, so no reset job exists. */
export const KeyDay = defineEntity({
  name: 'KeyDay',
  tableName: 'key_days',
  properties: {
    keyId: p.text().primary(),
    day: p.date().primary(),
    workspaceId: p.text(),
    spentNanos: p.bigint().default(0),
  },
});
