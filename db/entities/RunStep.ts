import { defineEntity, p } from '@mikro-orm/core';

/**
 * One step of a run: a model call or a tool call. `result` is what a retry of the step returns instead of doing it again; it holds the
 * content that the workflow's history must not.
 */
export const RunStep = defineEntity({
  name: 'RunStep',
  tableName: 'run_steps',
  checks: [
    { name: 'run_steps_kind_check', expression: "kind in ('model', 'tool', 'sandbox', 'file')" },
    { name: 'run_steps_state_check', expression: "state in ('started', 'completed', 'failed')" },
  ],
  properties: {
    runId: p.text().primary(),
    step: p.integer().primary(),
    workspaceId: p.text(),
    id: p.text(),
    kind: p.text(),
    name: p.text(),
    state: p.text().default('started'),
    attempt: p.integer().default(1),
    result: p.json().nullable(),
    startedAt: p.datetime().defaultRaw('now()'),
    endedAt: p.datetime().nullable(),
  },
});
