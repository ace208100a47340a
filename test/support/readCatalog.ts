import { withAgentUpstream, type AgentUpstream } from '../../db/catalog/agentUpstream.ts';
import { createSnapshot, modelOf, resolveVariables, type Catalog } from '../../db/catalog/catalog.ts';
import { readCatalogFile } from '../../db/catalog/catalogFile.ts';
import { withCostRanks } from '../../db/catalog/costRanks.ts';

/** The catalogue of a file alone, without a database: no operator has changed it. `agentUpstream` adds a model for agents. */
export function readCatalog(
  file: string,
  variable: (name: string) => string,
  agentUpstream: AgentUpstream | null = null,
): Catalog {
  const { upstreams, models, ...others } = withAgentUpstream(readCatalogFile(file), agentUpstream);
  const made = models.map((entry) => withCostRanks(modelOf(entry, upstreams)));
  const snapshot = { ...createSnapshot(made, resolveVariables(upstreams, variable)), ...others };
  return { ...snapshot, at: () => snapshot };
}
