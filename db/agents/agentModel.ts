import type { Catalog, Model } from '../catalog.ts';

/**
 * The catalogue's model that thinks for agents: the one that is named, else the catalogue's choice, else its first text model. Throws a
 * sentence that says which models there are when it is none of them.
 */
export function agentModelOf(catalog: Catalog, name: string | undefined): Model {
  const texts = catalog.models.filter(({ kind }) => kind === 'text');
  const wanted = name ?? catalog.agentModel;
  const model = wanted === undefined ? texts[0] : catalog.find(wanted);
  if (model?.kind === 'text') return model;
  const ids = texts.map(({ id }) => id).join(', ');
  throw new Error(`AGENT_MODEL must be a text model of the catalogue (${ids}), not "${wanted ?? ''}"`);
}
