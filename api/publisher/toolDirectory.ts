import { z } from 'zod';
import { RUN_METERS } from '../../db/entities/agentJson.ts';
import { listOfferedTools } from '../../db/plugins/offeredTools.ts';
import { listPlugins } from '../../db/plugins/plugins.ts';
import { MeterName } from '../agents/agentAnswers.ts';
import { pageOf, presentPage, type RouteDoc } from '../http/documentedRoute.ts';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';

const definition = {
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()).describe('JSON Schema of its arguments.'),
};

const Tool = z.object({
  ...definition,
  object: z.literal('tool'),
  kind: z.enum(['tool', 'sandbox', 'file']),
  languages: z.array(z.string()).nullable().describe('Of the programs that it runs, in the workers’ sandbox.'),
  meters: z.array(
    z.object({
      id: MeterName,
      unit: z.string(),
      platform_cost_usd: z.number().describe('For a unit: no agent sells it for less, unless it is subsidised.'),
    }),
  ),
});

const Plugin = z.object({
  object: z.literal('plugin'),
  plugin_id: z.string(),
  version: z.string(),
  name: z.string(),
  required_secrets: z
    .array(z.object({ name: z.string(), description: z.string() }))
    .describe('What each caller of its agents sets first, with `PUT /v1/plugins/{plugin_id}/secrets`.'),
  requires_sign_in: z.boolean().describe('Whether each caller of its agents signs in to it, in the console.'),
  tools: z
    .array(z.object(definition))
    .nullable()
    .describe('As a worker has seen them last, under the names that a model calls; null before the first time.'),
});

const TAG = 'Tools of agents';

/** Documentation of the building blocks of agents. */
export const directoryDocs = {
  listTools: {
    tag: TAG,
    summary: 'List the tools that agents may use',
    description: 'With what they consume. A draft names them in `tools`.',
    answer: { id: 'ToolPage', schema: pageOf(Tool) },
  },
  listPlugins: {
    tag: TAG,
    summary: 'List the plugins that agents may use',
    description: 'Tool servers (MCP) that operators have registered, by version. A draft names them in `plugins`.',
    answer: { id: 'PluginPage', schema: pageOf(Plugin) },
  },
} satisfies Record<string, RouteDoc>;

/** `GET /v1/publisher/tools`: the workers' tools, with their meters. */
export function retrieveTools({ db, agentModels }: Services): Handler {
  return async (ctx) => {
    const costs = agentModels.costsOf({});
    const meterOf = (id: keyof typeof RUN_METERS) => ({
      id,
      unit: RUN_METERS[id].unit,
      platform_cost_usd: costs[id] ?? 0,
    });
    const tools = await listOfferedTools(db.everywhere);
    const data = tools.map(({ name, kind, description, parameters, languages }) => ({
      object: 'tool' as const,
      name,
      kind,
      description,
      parameters,
      languages,
      meters: [meterOf('tool_calls'), ...(kind === 'sandbox' ? [meterOf('sandbox_seconds')] : [])],
    }));
    ctx.body = presentPage(data, null);
  };
}

/** `GET /v1/publisher/plugins`: the enabled plugins, without their addresses and credentials, which only operators see. */
export function retrievePlugins({ db }: Services): Handler {
  return async (ctx) => {
    const plugins = (await listPlugins(db.everywhere)).filter(({ disabledAt }) => disabledAt === null);
    const data = plugins.map(({ id, version, name, tools, secrets, signIn }) => ({
      object: 'plugin' as const,
      plugin_id: id,
      version,
      name,
      requires_sign_in: signIn !== null,
      required_secrets: secrets.map(({ name: secret, description }) => ({ name: secret, description })),
      tools,
    }));
    ctx.body = presentPage(data, null);
  };
}
