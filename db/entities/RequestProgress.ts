import { defineEntity, p } from '@mikro-orm/core';

/** The progress of a stream that runs longer than a second: the settlement to make if its process dies. */
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
