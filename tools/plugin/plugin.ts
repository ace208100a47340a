import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { Tool as OfferedTool } from '@modelcontextprotocol/client';
import { ToolFailure, type Tool, type ToolContext, type ToolResult } from '../tool.ts';
import { boundedFetch } from './boundedFetch.ts';
import { resultOf } from './pluginResult.ts';
import { toolNameOf } from './toolName.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const CALL_TIMEOUT_MS = 60_000;
const CLOSE_TIMEOUT_MS = 2_000;
const TOOLS_MAX = 100;
const DESCRIPTION_CHARACTERS_MAX = 2_000;

/** A plugin as an operator registered it. Its address is the operator's word and may be private. */
export interface PluginAddress {
  id: string;
  version: string;
  /** Where the MCP server answers streamable HTTP. */
  url: string;
  headers?: Record<string, string>;
}

/** A connected plugin. */
export interface Plugin {
  tools: Tool[];
  close(): Promise<void>;
}

/** A plugin that cannot be used now: not reachable, or with more tools than a model can hold. */
export class PluginUnavailable extends Error {
  override readonly name = 'PluginUnavailable';
}

/** Connects to the MCP server of a plugin and lists its tools. Throws PluginUnavailable. */
export async function openPlugin(address: PluginAddress): Promise<Plugin> {
  const transport = new StreamableHTTPClientTransport(new URL(address.url), {
    requestInit: { headers: address.headers ?? {} },
    fetch: boundedFetch,
  });
  const client = new Client({ name: 'ledgerline', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const close = () => closeConnection(client, transport);
  try {
    await client.connect(transport, { timeout: CONNECT_TIMEOUT_MS });
    const { tools } = await client.listTools(undefined, { timeout: CONNECT_TIMEOUT_MS });
    if (tools.length > TOOLS_MAX) throw unavailable(address, `it offers more than ${TOOLS_MAX} tools`);
    return { tools: tools.map((offered) => toolOf({ address, client, offered })), close };
  } catch (cause) {
    await close();
    throw cause instanceof PluginUnavailable ? cause : unavailable(address, 'it cannot be reached', cause);
  }
}

const unavailable = ({ id, version }: PluginAddress, why: string, cause?: unknown) =>
  new PluginUnavailable(`the plugin ${id} ${version} cannot be used: ${why}`, { cause });

interface Offer {
  address: PluginAddress;
  client: Client;
  offered: OfferedTool;
}

function toolOf({ address, client, offered }: Offer): Tool {
  return {
    definition: {
      name: toolNameOf(address.id, offered.name),
      description: (offered.description ?? offered.name).slice(0, DESCRIPTION_CHARACTERS_MAX).toWellFormed(),
      parameters: offered.inputSchema,
    },
    kind: 'tool',
    run: (args, context) => callTool({ address, client, offered }, args, context),
  };
}

/** The server judges the arguments by its own schema; only that they are an object is ours to ask. */
async function callTool(
  { address, client, offered }: Offer,
  args: unknown,
  { signal }: ToolContext,
): Promise<ToolResult> {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new ToolFailure('The arguments must be one JSON object.');
  }
  const params = { name: offered.name, arguments: args as Record<string, unknown> };
  try {
    return resultOf(
      await client.callTool(params, { signal, timeout: CALL_TIMEOUT_MS, maxTotalTimeout: CALL_TIMEOUT_MS }),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw failureOf(address, error);
  }
}

/** What the server says about the call is for the model; how its address failed is not. */
function failureOf({ id }: PluginAddress, error: unknown): ToolFailure {
  if (error instanceof ProtocolError) return new ToolFailure(`The plugin ${id} refused the call: ${error.message}`);
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return new ToolFailure(`The plugin ${id} did not answer within ${CALL_TIMEOUT_MS / 1000} seconds.`);
  }
  return new ToolFailure(`The plugin ${id} failed and gave no answer.`, { cause: error });
}

/** Ends the server's session too, where it answers soon: it would keep it for ever. */
async function closeConnection(client: Client, transport: StreamableHTTPClientTransport): Promise<void> {
  const ended = transport.terminateSession().catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([ended, new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)))]);
  clearTimeout(timer);
  await client.close();
}
