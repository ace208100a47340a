import { ProtocolError, ProtocolErrorCode, type ListToolsResult, type Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import {
  findPublicAgent,
  findPublicAgentById,
  listPublicAgents,
  type PublicAgent,
} from '../../db/agents/publicAgents.ts';
import type { Context } from '../context.ts';
import type { ApiError } from '../errors/apiError.ts';
import type { Services } from '../services.ts';

const PAGE_TOOLS = 50;
const NAME_CHARACTERS_MAX = 64;
const LIST = 'mcp tools';

/** The arguments of an agent's tool. Their values are validated when the run is created. */
export const CallArguments = z.strictObject({
  input: z.string().describe('What the agent is to do.'),
  session_id: z.string().optional().describe('Continues this session, with its conversation and files.'),
  max_cost_usd: z.number().optional().describe('The most that this call may cost, in US dollars.'),
});

/** The result of a call, for programs. */
export const CallOutcome = z.object({
  run_id: z.string(),
  session_id: z.string(),
  status: z.string(),
  cost_usd: z.number(),
});

/** The public agents as tools, in pages. */
export async function listTools(ctx: Context, { db, cursors }: Services, cursor?: string): Promise<ListToolsResult> {
  const { workspaceId } = ctx.state.key;
  const offset = cursor === undefined ? 0 : Number(asInvalidParams(() => cursors.read(workspaceId, LIST, cursor)));
  const all = { search: null, category: null, maximumCostUsd: null, sort: 'name' as const };
  const { agents, hasMore } = await listPublicAgents(db.everywhere, { ...all, offset, limit: PAGE_TOOLS });
  return {
    tools: agents.map(toolOf),
    ...(hasMore && { nextCursor: cursors.write(workspaceId, LIST, String(offset + agents.length)) }),
  };
}

/** The public agent of a tool name. Throws the protocol's error for an unknown name. */
export async function findAgentOfTool({ db }: Services, name: string): Promise<PublicAgent> {
  const [namespace, slug] = name.split('__');
  const found =
    slug === undefined
      ? await findPublicAgentById(db.everywhere, name)
      : await findPublicAgent(db.everywhere, { namespace: namespace!, slug });
  if (found && nameOf(found) === name) return found;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool '${name}'.`);
}

function toolOf(agent: PublicAgent): Tool {
  const { name, description, pricing } = agent.configuration;
  return {
    name: nameOf(agent),
    title: name,
    description: `${description} (Costs at most ${pricing.maximum_cost_usd} US dollars a call.)`,
    inputSchema: inputSchema as Tool['inputSchema'],
    outputSchema,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  };
}

const inputSchema = z.toJSONSchema(CallArguments);
const outputSchema = z.toJSONSchema(CallOutcome, { io: 'input' });

// Namespaces and slugs contain no underscore, so the name can be split again. A name that would be too long is replaced by the agent's id.
function nameOf({ id, agentId }: PublicAgent): string {
  const name = id.replace('/', '__');
  return name.length <= NAME_CHARACTERS_MAX ? name : agentId;
}

function asInvalidParams<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, (error as ApiError).message);
  }
}
