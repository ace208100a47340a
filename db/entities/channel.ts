import { defineEntity, p } from '@mikro-orm/core';

/**
 * A named channel of a published agent: the version that callers of `<namespace>/<slug>@<name>` get. With `nextVersionId` it moves by
 * itself at `nextAt`: a dearer version waits for its notice. A removed channel keeps its version, by which a new one of that name is priced.
 */
export const AgentChannel = defineEntity({
  name: 'AgentChannel',
  tableName: 'agent_channels',
  checks: [{ name: 'agent_channels_next_check', expression: '(next_version_id is null) = (next_at is null)' }],
  properties: {
    agentId: p.text().primary(),
    name: p.text().primary(),
    workspaceId: p.text().index(),
    versionId: p.text(),
    previousVersionId: p.text().strictNullable(),
    nextVersionId: p.text().strictNullable(),
    nextAt: p.datetime().strictNullable(),
    movedAt: p.datetime().defaultRaw('now()'),
    removedAt: p.datetime().strictNullable(),
  },
});
