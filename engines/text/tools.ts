import type { LlamaGrammar } from 'node-llama-cpp';
import type { Engine } from './engine.ts';
import { SchemaGrammar } from './schemaGrammar.ts';
import { literal } from './jsonRules.ts';
import type { ChatInput, ChatTool } from '../../rules/protocol/schema.ts';
import type { ToolUse } from '../../rules/protocol/toolUse.ts';

/**
 * The same for a model that decides better between tools than between a tool and words. The parts of a call are not searched for stop
 * texts.
 */
export function withAnswerCall(use: ToolUse, input: ChatInput): ToolUse {
  const isPlain = (input.response_format?.type ?? 'text') === 'text' && !input.stop && !input.logprobs;
  const isFree = !use.tools.some((tool) => tool.function.name === ANSWER_NAME);
  return use.mode === 'either' && isPlain && isFree ? { ...use, mode: 'answerCall' } : use;
}

/** The tools offered to the model, including the plain-text answer. */
export function offeredTools({ tools, mode }: ToolUse): ChatTool[] {
  return mode === 'answerCall' ? [...tools, ANSWER_TOOL] : tools;
}

/** The tool by which a model answers in plain text. */
export const ANSWER_NAME = 'answer';

const ANSWER_TOOL: ChatTool = {
  type: 'function',
  function: {
    name: ANSWER_NAME,
    description:
      'Answers the user in words. Use it when no other function is needed, or when the results of functions are there.',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
};

/** The description of the tools in the system message. */
export function toolInstructions(tools: ChatTool[]): string {
  const signatures = tools.map(({ function: { name, description, parameters } }) =>
    JSON.stringify({ name, ...(description && { description }), parameters: parameters ?? {} }),
  );
  const form = renderCall('function_name', '{"argument": "value"}');
  return `You can call these functions:\n${signatures.join('\n')}\nTo call one, answer only with:\n${form}`;
}

/** A call in the model's own format. */
export function renderCall(name: string, argumentsJson: string): string {
  return `${callHead(name)}${argumentsJson}${CALL_TAIL}`;
}

/** Adds the rule for one or more calls, each with arguments that fit its tool's schema, and returns its name. */
function addCalls(grammar: SchemaGrammar, { tools, callsMax }: ToolUse, all: ChatTool[]): string {
  const calls = tools.map((tool) => {
    const { name, parameters, strict } = tool.function;
    const param = `tools[${all.indexOf(tool)}].function.parameters`;
    const schema = { type: 'object', ...(parameters ?? { properties: {} }) };
    const rule = strict ? grammar.addSchema(schema, param) : grammar.addHint(schema, param);
    return `${literal(callHead(name))} ${rule} ${literal(CALL_TAIL)}`;
  });
  const call = grammar.add(calls.join(' | '));
  return grammar.add(`${call} ("\\n" ${call}){0,${callsMax - 1}}`);
}

/** Adds the rule for a text that is not a call: it does not start like a call. */
function addPlainText(grammar: SchemaGrammar): string {
  const any = grammar.add('[^\\x00]*');
  return grammar.add(`"" | [^<] ${any} | "<" | "<" [^t] ${any}`);
}

export const CALL_TAIL = '}</tool_call>';

/** The prefix of an answer by a call, which is JSON. */
export const ANSWER_HEAD = `${callHead(ANSWER_NAME)}{"text": "`;

function callHead(name: string): string {
  return `<tool_call>{"name": "${name}", "arguments": `;
}

/**
 * The permitted form of the answer, or undefined when it is free: calls, text, text in a form, or a choice between them.
 * @throws RequestError 400 for a schema that cannot be guaranteed.
 */
export async function answerGrammar(engine: Engine, input: ChatInput, use: ToolUse): Promise<LlamaGrammar | undefined> {
  const format = input.response_format?.type ?? 'text';
  if (use.mode === 'text' && format === 'text') return undefined;
  const grammar = new SchemaGrammar();
  const alternatives: string[] = [];
  if (use.mode !== 'text') alternatives.push(addCalls(grammar, use, input.tools ?? []));
  if (use.mode === 'answerCall') alternatives.push(`${literal(ANSWER_HEAD)} char* ${literal(`"}${CALL_TAIL}`)}`);
  else if (use.mode !== 'calls') alternatives.push(addText(grammar, input));
  const param = use.mode === 'text' ? 'response_format' : 'tools';
  return engine.grammar(grammar.toString(alternatives.join(' | ')), param);
}

function addText(grammar: SchemaGrammar, { response_format: format }: ChatInput): string {
  switch (format?.type) {
    case 'json_object':
      return 'object';
    case 'json_schema':
      return addFormat(grammar, format.json_schema);
    case 'text':
    case undefined:
      return addPlainText(grammar);
    default:
      return format satisfies never;
  }
}

function addFormat(
  grammar: SchemaGrammar,
  { schema, strict }: { schema: Record<string, unknown>; strict?: unknown },
): string {
  const param = 'response_format.json_schema.schema';
  return strict ? grammar.addSchema(schema, param) : grammar.addHint(schema, param);
}
