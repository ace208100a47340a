import type { z } from 'zod';
import { freezeForTest, testPricing } from '../../db/publishing/testVersion.ts';
import { AGENT_TOOL_NAMES } from '../../tools/tool.ts';
import { pathId } from '../body/parseWith.ts';
import type { Handler } from '../context.ts';
import { answerRun } from '../runs/answerRun.ts';
import { placeRunOf } from '../runs/createRun.ts';
import type { TestRunOrder } from '../runs/runSchema.ts';
import type { Services } from '../services.ts';
import { agentNotFound, incompleteConfiguration } from './errors.ts';

/**
 * `POST /v1/publisher/agents/{agent_id}/test-runs`: runs the draft for its publisher, who pays the platform's costs. Answers as `POST
 * /v1/runs` does. Tests have the source `test` and are excluded from public statistics.
 */
export function createTestRun(services: Services): Handler<z.output<typeof TestRunOrder>> {
  const { db, agentModels, config } = services;
  return async (ctx) => {
    const agentId = pathId(ctx, 'agent_id');
    const sent = ctx.state.input;
    const { webhookLoopback: toolLoopback } = config;
    const order = { tools: AGENT_TOOL_NAMES, models: agentModels, toolLoopback, agentId };
    const frozen = await freezeForTest(db.write(ctx.state.key.workspaceId), order);
    if (frozen.outcome === 'not_found') throw agentNotFound(agentId);
    if (frozen.outcome === 'incomplete') throw incompleteConfiguration(frozen.findings);
    const { agent } = frozen;
    const prices = testPricing(agent.configuration);
    const own = { agent: agent.agent, visibility: 'private', source: 'test', start_after_seconds: 0 } as const;
    const run = await placeRunOf(ctx, services, { order: { ...sent, ...own }, agent, prices });
    await answerRun(ctx, services, run, { ...sent, start_after_seconds: 0 });
  };
}
