import { defineEntity, p } from '@mikro-orm/core';

/** An output item of a response, kept for a day so that a later request can refer to it by its id. */
export const ResponseItem = defineEntity({
  name: 'ResponseItem',
  tableName: 'response_items',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text(),
    /** JSON as it was sent. As text it may hold characters that the database's own JSON cannot. */
    item: p.text(),
    expiresAt: p.datetime().index(),
  },
});
