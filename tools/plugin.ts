import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type AuthProvider,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type Tool as OfferedTool,
} from '@modelcontextprotocol/client';
import { waitAtMost } from '../base/waiting.ts';
import { faultOfValue } from './foreignJson.ts';
import { createRedaction, type Redact, resultOf, toolNameOf } from './pluginResult.ts';
import { PluginTransport } from './pluginTransport.ts';
import { ToolFailure, type Tool, type ToolContext, type ToolResult } from './tool.ts';

const CONNECT_TIMEOUT_MS = 10_000;
// Of all pages of its tools, each within the time above.
const OPEN_TIMEOUT_MS = 20_000;
const CALL_TIMEOUT_MS = 60_000;
const CLOSE_TIMEOUT_MS = 2_000;
const TOOLS_MAX = 100;
const PAGES_MAX = 20;
const DESCRIPTION_CHARACTERS_MAX = 2_000;
// Schemas are part of every prompt, which the caller pays for.
const SCHEMA_CHARACTERS_MAX = 32_768;
const SCHEMAS_CHARACTERS_MAX = 262_144;

/** A plugin as an operator registered it. The operator is trusted, so its address may be private. */
export interface PluginAddress {
  id: string;
  version: string;
  /** The URL of the MCP server (streamable HTTP). */
  url: string;
  headers?: Record<string, string>;
  /** Further values that its answers must not reveal. Tokens are added to them. */
  credentials?: string[];
  access?: PluginAccess;
}

/** The access of a signed-in user. */
export interface PluginAccess {
  token: () => Promise<string>;
  /** Replaces a token that the plugin has refused. If it throws, the call ends. */
  renew: (refused: string) => Promise<string>;
}

/** A connected plugin. */
export interface Plugin {
  tools: Tool[];
  close(): Promise<void>;
}

/** A plugin that cannot be used now: unreachable, or with more tools than a model can handle. */
export class PluginUnavailable extends Error {
  override readonly name = 'PluginUnavailable';
  readonly pluginId: string;

  constructor(message: string, { pluginId, ...options }: { pluginId: string; cause?: unknown }) {
    super(message, options);
    this.pluginId = pluginId;
  }
}

/** Connects to the MCP server of a plugin and lists its tools. Throws PluginUnavailable. */
export async function openPlugin(address: PluginAddress): Promise<Plugin> {
  const credentials = [...Object.values(address.headers ?? {}), ...(address.credentials ?? [])];
  const authProvider = address.access && createBearer(address.access, credentials);
  const { url, headers = {} } = address;
  const transport = new PluginTransport({ url, headers, ...(authProvider && { authProvider }) });
  const client = new Client(
    { name: 'ledgerline', version: '1' },
    { versionNegotiation: { mode: 'auto' }, jsonSchemaValidator: anyAnswer, listMaxPages: PAGES_MAX },
  );
  const redact = createRedaction(credentials);
  const close = () => closeConnection(client, transport);
  try {
    const timeouts = { timeout: CONNECT_TIMEOUT_MS, signal: AbortSignal.timeout(OPEN_TIMEOUT_MS) };
    await client.connect(transport, timeouts);
    const { tools } = await client.listTools(undefined, timeouts);
    transport.opened();
    if (tools.length > TOOLS_MAX) throw unavailable(address, `it offers more than ${TOOLS_MAX} tools`);
    requireSmallSchemas(address, tools);
    return {
      tools: tools.map((offered) => toolOf({ address, client, transport, offered, redact, authProvider })),
      close,
    };
  } catch (cause) {
    await close();
    if (authProvider?.error) throw authProvider.error;
    // The cause is logged, and may quote the plugin's whole answer.
    throw cause instanceof PluginUnavailable
      ? cause
      : unavailable(address, reasonOf(transport, cause), redact.error(cause));
  }
}

function reasonOf({ fault }: PluginTransport, cause: unknown): string {
  if (fault !== undefined) return `it ${fault}`;
  const isEndless = cause instanceof SdkError && cause.code === SdkErrorCode.ListPaginationExceeded;
  return isEndless ? `its list of tools has more than ${PAGES_MAX} pages` : 'it cannot be reached';
}

type Bearer = AuthProvider & { error?: Error };

/** Sends a user's token with each call. `error`: why it could not be renewed. */
function createBearer({ token, renew }: PluginAccess, credentials: string[]): Bearer {
  let sent: string | undefined;
  const use = (value: string) => {
    if (!credentials.includes(value)) credentials.push(value);
    return (sent = value);
  };
  const bearer: Bearer = {
    token: async () => use(await token()),
    onUnauthorized: async () => {
      try {
        use(await renew(sent!));
      } catch (error) {
        bearer.error = error as Error;
        throw error;
      }
    },
  };
  return bearer;
}

const unavailable = ({ id, version }: PluginAddress, why: string, cause?: unknown) =>
  new PluginUnavailable(`the plugin ${id} ${version} cannot be used: ${why}`, { pluginId: id, cause });

/** Output schemas of a plugin are ignored: answers are text for a model, and no foreign schema is executed here. */
const anyAnswer: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

function requireSmallSchemas(address: PluginAddress, tools: OfferedTool[]): void {
  let sum = 0;
  for (const { name, inputSchema } of tools) {
    const fault = faultOfValue(inputSchema);
    const what = `the schema of its tool '${name.slice(0, 64)}' cannot be used`;
    if (fault) throw unavailable(address, `${what}: ${fault}`);
    const { length } = JSON.stringify(inputSchema);
    sum += length;
    if (length > SCHEMA_CHARACTERS_MAX) {
      throw unavailable(address, `${what}: it is longer than ${SCHEMA_CHARACTERS_MAX} characters`);
    }
  }
  if (sum > SCHEMAS_CHARACTERS_MAX) {
    throw unavailable(address, `the schemas of its tools are longer than ${SCHEMAS_CHARACTERS_MAX} characters`);
  }
}

interface Offer {
  address: PluginAddress;
  client: Client;
  transport: PluginTransport;
  offered: OfferedTool;
  redact: Redact;
  authProvider: Bearer | undefined;
}

function toolOf(offer: Offer): Tool {
  const { address, offered } = offer;
  return {
    definition: {
      name: toolNameOf(address.id, offered.name),
      description: (offered.description ?? offered.name).slice(0, DESCRIPTION_CHARACTERS_MAX).toWellFormed(),
      parameters: offered.inputSchema,
    },
    kind: 'tool',
    run: (args, context) => callTool(offer, args, context),
  };
}

/** The server validates the arguments by its own schema; here they only have to be an object. */
async function callTool(
  { address, client, transport, offered, redact, authProvider }: Offer,
  args: unknown,
  { signal }: ToolContext,
): Promise<ToolResult> {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    throw new ToolFailure('The arguments must be one JSON object.');
  }
  const params = { name: offered.name, arguments: args as Record<string, unknown> };
  try {
    const timeouts = { timeout: CALL_TIMEOUT_MS, maxTotalTimeout: CALL_TIMEOUT_MS };
    const result = resultOf(await client.callTool(params, { signal, ...timeouts }));
    return { ...result, text: redact.text(result.text) };
  } catch (error) {
    signal.throwIfAborted();
    if (authProvider?.error) throw authProvider.error;
    if (transport.fault !== undefined) throw new ToolFailure(`The plugin ${address.id} ${transport.fault}.`);
    throw failureOf(address, redact, error);
  }
}

/** The model gets the server's error for the call, but no network errors. */
function failureOf({ id }: PluginAddress, redact: Redact, error: unknown): ToolFailure {
  if (error instanceof ProtocolError) {
    return new ToolFailure(`The plugin ${id} refused the call: ${redact.text(error.message)}`);
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return new ToolFailure(`The plugin ${id} did not answer within ${CALL_TIMEOUT_MS / 1000} seconds.`);
  }
  return new ToolFailure(`The plugin ${id} failed and gave no answer.`, { cause: redact.error(error) });
}

/** Also ends the server's session, if it answers soon; otherwise the server might keep it indefinitely. */
async function closeConnection(client: Client, transport: PluginTransport): Promise<void> {
  await waitAtMost(
    CLOSE_TIMEOUT_MS,
    transport.terminateSession().catch(() => undefined),
  );
  await client.close();
}
