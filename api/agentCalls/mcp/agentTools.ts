import { ProtocolError, ProtocolErrorCode, type ListToolsResult, type Tool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { agentIn } from '../../../base/agentNames.ts';
import { isStorable } from '../../../base/json.ts';
import { sizeText } from '../../../base/limits.ts';
import type { JsonSchema } from '../../../base/jsonSchema.ts';
import { agentInputOf, type AgentConfiguration } from '../../../db/agents/configuration.ts';
import {
  findPublicAgent,
  findPublicAgentById,
  listPublicAgents,
  type PublicAgent,
} from '../../../db/agents/publicAgents.ts';
import { FILE_BYTES_MAX } from '../../../db/files/upload.ts';
import { iconUrlOf } from '../../agents/publicAgents.ts';
import type { Context } from '../../context.ts';
import type { ApiError } from '../../../base/errors/apiError.ts';
import type { Services } from '../../services.ts';
import { RUN_TOOLS } from './runTools.ts';

const PAGE_TOOLS = 50;
const NAME_CHARACTERS_MAX = 64;
const FILES_MAX = 16;
const LIST = 'mcp tools';

const file = z
  .strictObject({
    file_id: z.string().optional().describe('Of a file that was uploaded to POST /v1/files.'),
    data: z.string().optional().describe('Or the file itself, as base64.'),
    media_type: z.string().max(200).optional().describe('Of `data`, such as `text/csv`.'),
    name: z.string().max(255).optional().describe('Of `data`, with its extension.'),
  })
  .refine(({ file_id: id, data }) => (id === undefined) !== (data === undefined), 'Send a file_id, or data.');

const files = z.array(file).max(FILES_MAX);

/** The arguments of an agent's tool, unless the agent has an input schema. Their values are validated when the run is created. */
export const CallArguments = z.strictObject({
  input: z.string().describe('What the agent is to do.'),
  files: files.optional().describe('Files for the agent.'),
  session_id: z.string().optional().describe('Continues this session, with its conversation and files.'),
  max_cost_usd: z.number().optional().describe('The most that this call may cost, in US dollars.'),
});

/** The files of a call of an agent with an input schema. */
export const CallFiles = z.object({ files: files.optional() });

/** The result of a call, for programs. An agent with an output schema returns its own data instead. */
export const CallOutcome = z.object({
  text: z.string().describe('The answer.'),
  data: z.unknown().optional().describe('Data that the agent returned.'),
  files: z
    .array(z.object({ uri: z.string(), name: z.string(), media_type: z.string(), size_bytes: z.int() }))
    .describe('Read them with resources/read.'),
  question: z.string().optional().describe('What the run asks: answer it with the tool answer_run.'),
  required_actions: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe('All that the run waits for: questions, forms and calls of tools to approve.'),
  run_id: z.string(),
  session_id: z.string(),
  status: z.string(),
  cost_usd: z.number(),
});

/** The public agents as tools, in pages; the first page also has the tools for their runs. */
export async function listTools(ctx: Context, services: Services, cursor?: string): Promise<ListToolsResult> {
  const { db, cursors } = services;
  const { workspaceId } = ctx.state.key;
  const offset = cursor === undefined ? 0 : Number(asInvalidParams(() => cursors.read(workspaceId, LIST, cursor)));
  const all = { search: null, category: null, maximumCostUsd: null, sort: 'name' as const };
  const { agents, hasMore } = await listPublicAgents(db.everywhere, { ...all, offset, limit: PAGE_TOOLS });
  return {
    tools: [...(offset === 0 ? runTools : []), ...agents.map((agent) => toolOf(agent, services))],
    ...(hasMore && { nextCursor: cursors.write(workspaceId, LIST, String(offset + agents.length)) }),
  };
}

/** The public agent of a tool name, without its channel. Throws the protocol's error for an unknown name. */
export async function findAgentOfTool(
  { db }: Services,
  { name, workspaceId }: { name: string; workspaceId: string },
): Promise<PublicAgent> {
  const unknown = new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool '${name}'.`);
  if (!isStorable(name)) throw unknown;
  const tool = agentIn(name);
  const [namespace, slug] = tool.split('__');
  const found =
    slug === undefined
      ? await findPublicAgentById(db.everywhere, { agentId: tool, workspaceId })
      : await findPublicAgent(db.everywhere, { namespace: namespace!, slug, workspaceId });
  if (found && nameOf(found) === tool) return found;
  throw unknown;
}

function toolOf(agent: PublicAgent, services: Services): Tool {
  const { name, description, pricing, output_schema: outputSchema, icon_file_id: icon } = agent.configuration;
  return {
    name: nameOf(agent),
    title: name,
    description: `${description} (Costs at most ${pricing.maximum_cost_usd} US dollars a call.)`,
    inputSchema: inputSchemaOf(agent.configuration, services) as Tool['inputSchema'],
    outputSchema: outputSchema ? objectSchema(outputSchema) : outcomeSchema,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    ...(icon !== null && { icons: [{ src: iconUrlOf(agent.id, services.config) }] }),
  };
}

const runTools = RUN_TOOLS.map(({ input, ...tool }): Tool => {
  const inputSchema = z.toJSONSchema(input) as Tool['inputSchema'];
  return { ...tool, inputSchema, outputSchema: z.toJSONSchema(CallOutcome, { io: 'input' }) };
});

const outcomeSchema = z.toJSONSchema(CallOutcome, { io: 'input' });
const argumentsSchema = z.toJSONSchema(CallArguments) as { properties: Record<string, JsonSchema> };

/** The agent's own schema, with `files` beside its members when the agent takes files too. */
function inputSchemaOf(configuration: AgentConfiguration, services: Pick<Services, 'agentModels'>): JsonSchema {
  const { properties } = argumentsSchema;
  const accepted = acceptedFiles(configuration, services);
  const own = accepted && { files: { ...properties.files, description: accepted } };
  const { input_schema: schema } = configuration;
  if (schema) {
    const typed = objectSchema(schema);
    return own && takesFilesBeside(schema)
      ? { ...typed, properties: { ...(typed.properties as object), ...own } }
      : typed;
  }
  const { files: _files, ...others } = properties;
  return { ...argumentsSchema, properties: { ...others, ...own } };
}

function acceptedFiles(configuration: AgentConfiguration, { agentModels }: Pick<Services, 'agentModels'>) {
  const input = agentInputOf(configuration, agentModels.modelOf(configuration) ?? agentModels.standard);
  if (!input.files) return undefined;
  return `Files for the agent, up to ${sizeText(FILE_BYTES_MAX)} each: ${input.accepted_media_types.join(', ')}.`;
}

/** Whether a typed agent's arguments leave room for `files`: its schema lists its members, and none has that name. */
export const takesFilesBeside = ({ properties }: JsonSchema): boolean =>
  typeof properties === 'object' && properties !== null && !Object.hasOwn(properties, 'files');

// The protocol requires the type, even in a schema that only refers to its definitions.
const objectSchema = (schema: JsonSchema): JsonSchema & { type: 'object' } => ({ ...schema, type: 'object' });

// Namespaces and slugs contain no underscore, so the name can be split again. The agent's id replaces a name that is too long.
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
