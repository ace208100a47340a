import { defineEntity, p } from '@mikro-orm/core';

/**
 * An agent as its publisher sees it: a name for ever, and a draft that changes. `draft` is a configuration (instructions, tools, prices),
 * validated in full when it is frozen into a version; each change of it raises `draftRevision`.
 */
export const Agent = defineEntity({
  name: 'Agent',
  tableName: 'agents',
  uniques: [{ name: 'agents_namespace_slug_unique', properties: ['namespace', 'slug'] }],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    namespace: p.text(),
    slug: p.text(),
    draftRevision: p.integer().default(1),
    draft: p.json(),
    /** Since when an operator allows prices below the platform's cost. */
    subsidisedAt: p.datetime().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});
