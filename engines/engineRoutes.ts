import { statfs } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { availableParallelism, totalmem } from 'node:os';
import { AGENT_MODEL_ID, type AgentModel } from './agentModel.ts';
import type { EmbeddedConfig } from './config.ts';
import type { EngineReport } from '../providers/fetchedEngines.ts';
import { sendJson } from '../rules/protocol/replies.ts';
import { RequestError } from '../rules/protocol/requestError.ts';

const PATH = `/v1/engines/${AGENT_MODEL_ID}`;

/** Engines that are fetched while the process runs: `GET …/engines/{name}`, and `POST` or `DELETE …/fetch`. Undefined: another route. */
export async function routeEngines(
  agents: AgentModel,
  { dataDir, threads }: Pick<EmbeddedConfig, 'dataDir' | 'threads'>,
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  if (!url.startsWith('/v1/engines/')) return false;
  const name = `${method} ${url}`;
  if (name === `POST ${PATH}/fetch`) {
    // Pages of other sites cannot send this type without asking first.
    if (headers['content-type'] !== 'application/json')
      throw new RequestError(400, 'invalid_value', 'The request must have the content type application/json.');
    void agents.fetch();
  } else if (name === `DELETE ${PATH}/fetch`) await agents.cancel();
  else if (name !== `GET ${PATH}`) throw new RequestError(404, 'not_found', `There is no ${name} here.`);
  sendJson(response, 200, await report(agents, dataDir, threads));
  return true;
}

async function report(agents: AgentModel, dataDir: string, threads: number): Promise<EngineReport> {
  const { bavail, bsize } = await statfs(dataDir).catch(() => ({ bavail: 0, bsize: 0 }));
  const { wholeBytes: whole_bytes, ...described } = agents.describe();
  return {
    ...described,
    whole_bytes,
    machine: {
      cores: availableParallelism(),
      threads,
      // Of the container, where there is one with a limit.
      memory_bytes: Math.min(totalmem(), process.constrainedMemory() || Infinity),
      memory_available_bytes: process.availableMemory(),
      disk_available_bytes: bavail * bsize,
    },
  };
}
