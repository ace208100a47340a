import { AGENT_REFERENCE } from '../../../base/agentNames.ts';
import type { Handler } from '../../context.ts';
import type { Services } from '../../services.ts';
import type { ParsedText } from '../../../calls/text/parameters/parameters.ts';
import type { AgentForm } from './agentForms.ts';

/**
 * Answers with a run of an agent when `model` is an agent's name; otherwise calls `next`. All that orders a run is loaded for the first one.
 */
export function orAgent<Input extends ParsedText>(
  services: Services,
  form: AgentForm<Input>,
  next: Handler<Input>,
): Handler<Input> {
  return (ctx) => {
    const { model } = ctx.state.input;
    // Almost all requests name a model and pay only for this comparison.
    const isAgent = model.includes('/') && AGENT_REFERENCE.test(model) && !services.catalog.find(model);
    return isAgent ? answer(ctx) : next(ctx);
  };

  async function answer(ctx: Parameters<Handler<Input>>[0]): Promise<void> {
    const { answerAsAgent } = await import('./agentModel.ts');
    if (!(await answerAsAgent(ctx, services, form))) return next(ctx);
  }
}
