import { defineEntity, p } from '@mikro-orm/core';

/** What a stream that runs longer than a second has produced so far: the settlement to make if its process dies. */
export const RequestProgress = defineEntity({
  name: 'RequestProgress',
  tableName: 'request_progress',
  properties: {
    requestId: p.text().primary(),
    processId: p.text().index(),
    settlement: p.json(),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});
