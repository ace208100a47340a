import type { ResolvedAgent } from '../../db/agents/publicAgents.ts';
import { findLiveVersion } from '../../db/evaluations/evaluationRuns.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import { findTestedVersion, freezeForTest } from '../../db/publishing/testVersion.ts';
import { AGENT_TOOL_NAMES } from '../../tools/tool.ts';
import { agentNotFound, incompleteConfiguration, versionNotFound } from '../publisher/errors.ts';
import type { Services } from '../services.ts';
import { notLive } from './evaluationErrors.ts';

interface Named {
  agentId: string;
  /** `draft`, `live`, a date or an id. */
  version: string;
}

/** The version of a run: the draft becomes one. Throws 404, and 422 for a draft that cannot run. */
export async function freezeVersion(
  { db, agentModels: models, config }: Services,
  rows: Rows,
  named: Named,
): Promise<ResolvedAgent> {
  const { agentId, version } = named;
  if (version !== 'draft') return findVersion(db.read(rows.workspaceId), named);
  const { webhookLoopback: toolLoopback } = config;
  const frozen = await freezeForTest(rows, { agentId, tools: AGENT_TOOL_NAMES, models, toolLoopback });
  if (frozen.outcome === 'not_found') throw agentNotFound(agentId);
  if (frozen.outcome === 'incomplete') throw incompleteConfiguration(frozen.findings);
  return frozen.agent;
}

/** A version of an agent that is not its draft. Throws 404 `agent_version_not_found`. */
export async function findVersion(rows: Rows, { agentId, version }: Named): Promise<ResolvedAgent> {
  const live = version === 'live' ? await findLiveVersion(rows, agentId) : undefined;
  if (version === 'live' && !live) throw notLive();
  const found = await findTestedVersion(rows, { agentId, version: live?.versionId ?? version });
  if (!found) throw versionNotFound(version, 'version');
  return found;
}
