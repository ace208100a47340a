import { parseData } from '../base/json.ts';
import { TOOL_RESULT_CHARACTERS_MAX } from '../base/limits.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { runCode } from './runCode.ts';
import { listFiles, readFile, searchFiles, writeFile } from './fileTools.ts';
import { faultOfValue } from './foreignJson.ts';
import { httpTool, type HttpToolAccess, type HttpToolSource } from './httpTool.ts';
import { openPlugin, type PluginAddress } from './plugin.ts';
import {
  type BuiltInToolName,
  ToolFailure,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
} from './tool.ts';
import { drawChart } from './drawChart.ts';
import { writeTable } from './writeTable.ts';
import { fetchUrl } from './fetchUrl.ts';
import { returnData } from './returnData.ts';
import { getState, setState } from './stateTools.ts';
import { forget, recall, remember } from './memoryTools.ts';
import { createGuardedAgent, type Egress } from './guardedAgent.ts';

/** The tools of one run's model. */
export interface Toolbox {
  definitions: ToolDefinition[];
  /** The kind of a tool; 'tool' for an unknown one. */
  kindOf(name: string): Tool['kind'];
  /**
   * Runs a tool with the model's arguments, as JSON text. The model's mistakes become error results for it. Throws the signal's reason when
   * that is aborted, and internal errors.
   */
  run(name: string, argsJsonText: string, context: ToolContext): Promise<ToolResult>;
  close(): Promise<void>;
}

/** The parts of a toolbox: built-in tools by name, plugins by address. */
export interface ToolboxSource {
  names: readonly string[];
  plugins: readonly PluginAddress[];
  /** The publisher's own code. */
  httpTools?: readonly HttpToolSource[];
  httpAccess?: HttpToolAccess;
  sandbox: Sandbox;
  egress: Egress;
}

/** Opens the tools of an agent. Throws `PluginUnavailable` when a plugin is unreachable, Error for an unknown tool name. */
export async function openToolbox(source: ToolboxSource): Promise<Toolbox> {
  const { names, plugins, httpTools = [], httpAccess, sandbox, egress } = source;
  let agent: ReturnType<typeof createGuardedAgent> | undefined;
  const builtIn: Record<BuiltInToolName, () => Tool> = {
    run_code: () => runCode(sandbox),
    read_file: () => readFile,
    write_file: () => writeFile,
    write_table: () => writeTable,
    draw_chart: () => drawChart,
    list_files: () => listFiles,
    search_files: () => searchFiles,
    fetch_url: () => fetchUrl((agent ??= createGuardedAgent(egress)), egress),
    return_data: () => returnData,
    get_state: () => getState,
    set_state: () => setState,
    remember: () => remember,
    recall: () => recall,
    forget: () => forget,
  };
  const chosen = names.map((name) => {
    if (!Object.hasOwn(builtIn, name)) throw new Error(`no tool has the name '${name}'`);
    return builtIn[name as BuiltInToolName]();
  });
  const opened = await openPlugins(plugins);
  const own = httpTools.map((tool) => httpTool(tool, httpAccess!));
  const tools = new Map(
    [...chosen, ...own, ...opened.flatMap((plugin) => plugin.tools)].map((tool) => [tool.definition.name, tool]),
  );
  return {
    definitions: [...tools.values()].map(({ definition }) => definition),
    kindOf: (name) => tools.get(name)?.kind ?? 'tool',
    run: (name, argsJsonText, context) => call({ tools, name, argsJsonText, context }),
    close: async () => {
      await Promise.all([agent?.destroy(), ...opened.map((plugin) => plugin.close())]);
    },
  };
}

async function openPlugins(addresses: readonly PluginAddress[]) {
  const opening = await Promise.allSettled(addresses.map(openPlugin));
  const opened = opening.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = opening.find((one) => one.status === 'rejected');
  if (!failed) return opened;
  await Promise.all(opened.map((plugin) => plugin.close()));
  throw failed.reason;
}

interface Call {
  tools: ReadonlyMap<string, Tool>;
  name: string;
  argsJsonText: string;
  context: ToolContext;
}

async function call({ tools, name, argsJsonText, context }: Call): Promise<ToolResult> {
  context.signal.throwIfAborted();
  try {
    const tool = tools.get(name);
    if (!tool)
      throw new ToolFailure(
        `There is no tool '${name.slice(0, 64)}'. The available tools are: ${[...tools.keys()].join(', ')}.`,
      );
    const result = await tool.run(argumentsIn(argsJsonText), context);
    return { ...result, text: bounded(result.text) };
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof ToolFailure)) throw error;
    return { text: bounded(error.message), isError: true, sandboxMs: 0 };
  }
}

/** Models send an empty text for a tool without parameters. */
function argumentsIn(jsonText: string): unknown {
  if (jsonText.trim() === '') return {};
  let args: unknown;
  try {
    args = parseData(jsonText);
  } catch {
    throw new ToolFailure('The arguments are not valid JSON. Call the tool again with one JSON object.');
  }
  const fault = faultOfValue(args);
  if (fault) throw new ToolFailure(`The arguments cannot be used: ${fault}.`);
  return args;
}

function bounded(text: string): string {
  if (text.length <= TOOL_RESULT_CHARACTERS_MAX) return text.toWellFormed();
  const kept = text.slice(0, TOOL_RESULT_CHARACTERS_MAX).toWellFormed();
  return `${kept}\n[The rest is cut: ${text.length - TOOL_RESULT_CHARACTERS_MAX} more characters.]`;
}
