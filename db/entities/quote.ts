import { defineEntity, p } from '@mikro-orm/core';
import type { Pricing } from './agentJson.ts';

/** The price of a run as promised until `expiresAt`. */
export const RunQuote = defineEntity({
  name: 'RunQuote',
  tableName: 'run_quotes',
  indexes: [
    {
      name: 'run_quotes_expiry_index',
      expression: 'create index run_quotes_expiry_index on run_quotes (expires_at)',
    },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    agent: p.text(),
    versionId: p.text(),
    visibility: p.text().$type<'public' | 'private'>(),
    rateCard: p.json().$type<Pricing>(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime(),
  },
});
