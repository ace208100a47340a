import type { z } from 'zod';
import { chooseAgentModel, takeBackChoice } from '../../db/liveCatalog/agentModelChoice.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import type { Handler } from '../context.ts';
import { personOf } from '../guard/person.ts';
import type { Services } from '../services.ts';
import type { AgentModelAnswer } from './starterAnswers.ts';
import type { AgentModelBody } from './starterSchema.ts';

/** `GET /console/v1/catalog/agent-model`: what agents use, and what they are to use. */
export function retrieveAgentModel(services: Services): Handler {
  return (ctx) => void (ctx.body = presentAgentModel(services));
}

/** `PUT /console/v1/catalog/agent-model`: chooses the model of agents that name none. Every process has it within a second. */
export function setAgentModel(services: Services): Handler<z.output<typeof AgentModelBody>> {
  const { db, catalog } = services;
  return async (ctx) => {
    const { model: name } = ctx.state.input;
    const model = catalog.find(name);
    if (model?.kind !== 'text') {
      const msg = 'No text model of this name is sold.';
      throw validationErrorAt(['body', 'model'], msg);
    }
    await chooseAgentModel(db.everywhere, { model: model.id, state: 'chosen' }, await personOf(db, ctx));
    await catalog.refresh();
    ctx.body = presentAgentModel(services);
  };
}

/** `DELETE /console/v1/catalog/agent-model`: the model of the file or of the environment again. */
export function returnAgentModel(services: Services): Handler {
  const { db, catalog } = services;
  return async (ctx) => {
    await takeBackChoice(db.everywhere, 'chosen', await personOf(db, ctx));
    await catalog.refresh();
    ctx.body = presentAgentModel(services);
  };
}

/** The model of agents now, and the one to come. */
export function presentAgentModel({ catalog, agentModels }: Services): z.infer<typeof AgentModelAnswer> {
  const { choices } = catalog.composed();
  const { id, rehearsal } = agentModels.standard;
  const chosen = choices.find(({ state, model }) => state === 'chosen' && model === id);
  const awaited = choices.find(({ state }) => state === 'awaited');
  return {
    object: 'catalog.agent_model',
    model: id,
    is_rehearsed: rehearsal === true,
    source: chosen ? 'operator' : 'file',
    chosen_by: chosen?.chooser ?? null,
    chosen_at: chosen?.chosenAt.toISOString() ?? null,
    awaited: awaited
      ? { model: awaited.model, chosen_by: awaited.chooser, chosen_at: awaited.chosenAt.toISOString() }
      : null,
  };
}
