import { defineEntity, p } from '@mikro-orm/core';

/** What a call was asked and answered, of a key that keeps it (`ApiKey.logDays`). */
export const RequestContent = defineEntity({
  name: 'RequestContent',
  tableName: 'request_contents',
  indexes: [{ name: 'request_contents_key_index', properties: ['workspaceId', 'keyId'] }],
  properties: {
    requestId: p.text().primary(),
    workspaceId: p.text(),
    keyId: p.text(),
    /** JSON, compressed and encrypted with `CONTENTS_KEY`. */
    sealed: p.blob(),
    createdAt: p.datetime(),
    expiresAt: p.datetime().index(),
  },
});
