import type { z } from 'zod';
import type { AgentRow } from '../../db/publishing/publisherAgents.ts';
import { setSubsidy } from '../../db/publishing/subsidy.ts';
import { actorOf, type Handler } from '../context.ts';
import { notFound } from '../../base/errors/requestErrors.ts';
import type { Services } from '../services.ts';
import type { Subsidy } from '../publisher/publisherAnswers.ts';
import type { SubsidyBody } from './consoleSchema.ts';

/** `POST /console/v1/agents/{namespace}/{slug}/subsidy`: grants or withdraws a subsidy; audited. 404 `agent_not_found`. */
export function changeSubsidy({ db }: Services): Handler<z.output<typeof SubsidyBody>> {
  return async (ctx) => {
    const { namespace, slug } = ctx.state.params;
    const { granted } = ctx.state.input;
    const agent = `${namespace}/${slug}`;
    const changed = await setSubsidy(db.everywhere, { agent, granted, by: actorOf(ctx) });
    if (!changed) throw notFound(`No agent '${agent}'.`, 'agent_not_found');
    ctx.body = presentSubsidy(changed);
  };
}

const presentSubsidy = ({ id, namespace, slug, subsidisedAt }: AgentRow): z.infer<typeof Subsidy.schema> => ({
  id,
  object: 'agent.subsidy',
  agent: `${namespace}/${slug}`,
  subsidised: subsidisedAt !== null,
  since: subsidisedAt?.toISOString() ?? null,
});
