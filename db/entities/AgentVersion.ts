import { defineEntity, p } from '@mikro-orm/core';

/**
 * A frozen configuration: the database refuses to change or delete a row. `label` is the date it was made on (`2026-11-21`, a second one of
 * that day `2026-11-21.2`).
 */
export const AgentVersion = defineEntity({
  name: 'AgentVersion',
  tableName: 'agent_versions',
  uniques: [
    { name: 'agent_versions_agent_number_unique', properties: ['agentId', 'number'] },
    { name: 'agent_versions_agent_label_unique', properties: ['agentId', 'label'] },
  ],
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    agentId: p.text(),
    number: p.integer(),
    label: p.text(),
    sourceRevision: p.integer(),
    configuration: p.json(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
