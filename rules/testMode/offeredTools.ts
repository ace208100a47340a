import type { Json } from '../../providers/provider.ts';
import type { Script } from '../scripted/script.ts';
import { invalidValue } from '../protocol/requestError.ts';

interface Named {
  type?: string;
  function?: { name: string };
  custom?: { name: string };
}

const nameOf = (tool: Named): string | undefined => (tool.custom ?? tool.function)?.name;
const toolsOf = ({ tools }: Json): Named[] => (tools ?? []) as Named[];

/**
 * The body as the rules read it: the tools that may be called, all in the form of functions, and whether one must be called.
 * @throws RequestError 400 when the choice names an unknown tool, or requires a call where there is no tool.
 */
export function withFunctionsAlone(body: Json): Json {
  const { tools, choice } = chosen(body);
  return { ...body, tools: tools.map(asFunction), tool_choice: choice };
}

function chosen(body: Json): { tools: Named[]; choice: unknown } {
  const tools = toolsOf(body);
  const choice = body.tool_choice as string | (Named & { allowed_tools?: Allowed }) | null | undefined;
  if (choice === 'required' && tools.length === 0)
    throw invalidValue('tool_choice', "'required' needs at least one tool.");
  if (typeof choice !== 'object' || choice === null) return { tools, choice };
  const { allowed_tools: allowed } = choice;
  if (allowed) return { tools: named(allowed.tools, tools), choice: allowed.mode };
  return { tools: named([choice], tools), choice: 'required' };
}

interface Allowed {
  mode: 'auto' | 'required';
  tools: Named[];
}

function named(wanted: Named[], tools: Named[]): Named[] {
  const names = new Set(wanted.map(nameOf));
  const found = tools.filter((tool) => names.delete(nameOf(tool)));
  for (const name of names) throw invalidValue('tool_choice', `'${name}' is not one of the tools.`);
  return found;
}

const asFunction = (tool: Named): Named =>
  tool.custom ? { type: 'function', function: { name: tool.custom.name } } : tool;

/** The script with `input` for the calls of custom tools, which take a text instead of arguments. */
export function withCustomCalls(script: Script, body: Json, input: string): Script {
  const custom = new Set(toolsOf(body).flatMap((tool) => tool.custom?.name ?? []));
  if (custom.size === 0 || !script.toolCalls) return script;
  const toolCalls = script.toolCalls.map((call) =>
    custom.has(call.name) ? { name: call.name, arguments: input, isCustom: true } : call,
  );
  return { ...script, toolCalls };
}
