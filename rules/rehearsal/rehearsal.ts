import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Json } from '../../providers/provider.ts';
import { isObject } from '../../base/json.ts';
import { fillSchema } from './fillSchema.ts';
import { analysisCode, analysisIn, barsOf, sheetsOf, type Totals } from './rehearsedAnalysis.ts';
import { invalidValue, unsupportedParameter } from '../protocol/requestError.ts';
import { beginCall, perform } from '../scripted/perform.ts';
import { questionIndexIn, type Script } from '../scripted/script.ts';
import { checkReadable } from '../protocol/messageText.ts';
import { ChatInput, parseInput } from '../protocol/schema.ts';
import { toolUseOf } from '../protocol/toolUse.ts';

const CHAT_PATH = 'chat/completions';

/** Whether a call is for the rehearsal model, which needs no model file. */
export function isRehearsal(body: unknown): body is Json {
  return (body as Json | null)?.model === REHEARSAL_MODEL_ID;
}

/**
 * Answers a chat by the rules of the rehearsal model, whole or streamed.
 * @throws RequestError 400 for another route, and for parameters that rules cannot apply.
 */
export async function answerRehearsal(
  { route, body }: { route: string; body: Json },
  headers: IncomingHttpHeaders,
  response: ServerResponse,
): Promise<void> {
  if (route !== `POST /v1/${CHAT_PATH}`) throw invalidValue('model', 'This model answers chats alone.');
  const input = parseInput(ChatInput, body);
  refuseWhatRulesCannot(input);
  const call = beginCall(randomUUID(), CHAT_PATH, headers);
  call.body = body;
  await perform(response, CHAT_PATH, rehearse({ ...body, ...allowedBy(input) }), call);
}

/** The tools that may be called, and whether one must be called; `allowed_tools` is reduced to its tools. */
function allowedBy(input: ChatInput): Json {
  const { tools, mode } = toolUseOf(input);
  const choice = input.tool_choice;
  const isNamed = typeof choice === 'object' && choice?.type === 'function';
  return { tools, tool_choice: isNamed ? choice : mode === 'calls' ? 'required' : 'auto' };
}

/** Sampling parameters (temperature, seed, penalties) have no effect on rules; parameters of the answer's form would. */
function refuseWhatRulesCannot(input: ChatInput): void {
  checkReadable(input.messages);
  if (input.logprobs) throw unsupportedParameter('logprobs', RULES);
  if (Object.keys(input.logit_bias ?? {}).length > 0) throw unsupportedParameter('logit_bias', RULES);
}

const RULES = 'rules stand in for a language model here';

/** The model's id in requests, as the catalogue's upstream name. */
export const REHEARSAL_MODEL_ID = 'rehearsal';

export interface OfferedTool {
  function: { name: string; parameters?: unknown };
}

/**
 * The rehearsal model's next answer in a chat. Fixed rules call an agent's tools in a sensible order and answer with their results:
 * enough to follow a run without a model vendor. A required call, and an answer in a required form, are filled from the schema.
 */
export function rehearse(
  body: Json,
  { introduction, notice } = { introduction: INTRODUCTION, notice: NOTICE },
): Script {
  const turn = turnOf(body);
  const usual = analyse(turn) ?? research(turn) ?? write(turn) ?? { text: introduction };
  const forced = forcedToolOf(body, usual);
  if (forced) return call(forced.function.name, argumentsOf(forced, turn.question));
  if (usual.toolCalls) return usual;
  // States its nature: the reader may not know which model an agent uses.
  const said = usual.text === introduction ? introduction : `${usual.text}\n\n${notice}`;
  return { text: inForm(body.response_format as Json | undefined, said) };
}

/** Arguments that fit a tool's schema. Without a type in it, as in `{}`, they are an object too. */
export function argumentsOf({ function: { parameters } }: OfferedTool, question: string): object {
  const filled = fillSchema(parameters ?? {}, question, 'tools');
  return isObject(filled) ? filled : {};
}

const NOTICE = 'This is a rehearsal: rules stand in for a language model, and it costs nothing.';

/** The tool that must be called, unless the rules already call an allowed one. */
function forcedToolOf({ tools = [], tool_choice: choice }: Json, usual: Script): OfferedTool | undefined {
  const wanted = (choice as { function?: { name: string } } | null | undefined)?.function?.name;
  const isRequired = choice === 'required' || wanted !== undefined;
  const willDo = usual.toolCalls?.some(({ name }) => wanted === undefined || name === wanted);
  if (!isRequired || willDo) return undefined;
  return (tools as OfferedTool[]).find((tool) => wanted === undefined || tool.function.name === wanted);
}

function inForm(format: Json | undefined, text: string): string {
  if (format?.type === 'json_schema')
    return JSON.stringify(fillSchema((format.json_schema as { schema?: unknown }).schema, text));
  return format?.type === 'json_object' ? JSON.stringify({ text }) : text;
}

const INTRODUCTION =
  'This is a rehearsal: rules stand in for a language model, and it costs nothing. ' +
  'The rules can list files, add up the columns of a CSV file or a workbook, draw them as a chart, search documents and ' +
  'save a text. Agents answer for real once an operator gives them a model: on Home in the console, or by `ledgerline models add`.';

function analyse(turn: Turn): Script | undefined {
  if (!turn.has('list_files') || !turn.has('run_code')) return undefined;
  const listing = turn.resultOf('list_files');
  if (listing === undefined) return call('list_files', {});
  const path = tableIn(listing);
  if (path === undefined) return { text: `There is no CSV file or workbook to compute with. ${listing}` };
  const result = turn.resultOf('run_code');
  if (result === undefined) return call('run_code', { language: 'javascript', code: analysisCode(path) });
  const { printed, totals } = analysisIn(result);
  const outputs = totals ? outputsOf(totals, turn) : [];
  return outputs.length > 0 ? { toolCalls: outputs } : { text: `Computed from ${path}:\n${printed}` };
}

const ASKS_FOR_CHART = /\b(?:chart|graph|plot|diagram|draw)/i;
const ASKS_FOR_TABLE = /\b(?:table|xlsx|excel|workbook|spreadsheet)/i;
const ASKS_FOR_DATA = /\b(?:totals|json|data)\b/i;

/** The calls that write the files requested by the question, each once. */
function outputsOf(totals: Totals, { has, resultOf, schemaOf, question }: Turn): NonNullable<Script['toolCalls']> {
  const isDue = (tool: string, asked: RegExp) => has(tool) && resultOf(tool) === undefined && asked.test(question);
  const { title, labels, values } = barsOf(totals);
  const chart = { path: 'chart.png', kind: 'bar', title, labels, series: [{ name: title, values }] };
  const table = { path: 'totals.xlsx', sheets: sheetsOf(totals) };
  const written = [
    ...(isDue('draw_chart', ASKS_FOR_CHART) && labels.length > 0 ? [callOf('draw_chart', chart)] : []),
    ...(isDue('write_table', ASKS_FOR_TABLE) ? [callOf('write_table', table)] : []),
  ];
  // The call that returns an agent's structured data ends the run.
  const isTyped = has('return_data') && !hasMember(schemaOf('return_data'), 'data');
  if (isTyped)
    return written.length > 0 ? written : [callOf('return_data', typedTotals(schemaOf('return_data'), totals))];
  return isDue('return_data', ASKS_FOR_DATA) ? [...written, callOf('return_data', { data: totals })] : written;
}

/** Data in an agent's schema: a member `totals` gets the sums of the columns, everything else is filled. */
function typedTotals(schema: unknown, { columns }: Totals): object {
  const filled = fillSchema(schema, 'totals', 'tools') as object;
  return hasMember(schema, 'totals') ? { ...filled, totals: columns.map(({ name, sum }) => ({ name, sum })) } : filled;
}

const hasMember = (schema: unknown, name: string) =>
  Object.hasOwn((schema as { properties?: object } | undefined)?.properties ?? {}, name);

function research(turn: Turn): Script | undefined {
  if (!turn.has('search_files')) return undefined;
  const query = longestWordIn(turn.question);
  const found = turn.resultOf('search_files');
  if (found === undefined) return call('search_files', { query });
  return { text: `A search for “${query}” says:\n${found}` };
}

function write(turn: Turn): Script | undefined {
  if (!turn.has('write_file') || !/\b(file|save)\b/i.test(turn.question)) return undefined;
  const written = turn.resultOf('write_file');
  if (written === undefined) return call('write_file', { path: 'draft.md', content: `# Draft\n\n${turn.question}\n` });
  return { text: written };
}

const callOf = (name: string, input: object) => ({ name, arguments: JSON.stringify(input) });
const call = (name: string, input: object): Script => ({ toolCalls: [callOf(name, input)] });

// A listing has one line per file: its path, and in brackets its type and size.
function tableIn(listing: string): string | undefined {
  return /^(.+\.(?:csv|xlsx)) \([^()]*\)$/im.exec(listing)?.[1];
}

function longestWordIn(question: string): string {
  const words = question.match(/[\p{L}\p{N}]{3,}/gu) ?? ['the'];
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest));
}

/** The state of a chat: the last question, and the tool results since then. */
interface Turn {
  question: string;
  /** Whether the caller offers a tool of that name. */
  has: (tool: string) => boolean;
  /** The schema of an offered tool's arguments. */
  schemaOf: (tool: string) => unknown;
  /** The tool's last result since the question; undefined when it was not called. */
  resultOf: (tool: string) => string | undefined;
}

/** Reads the body of a chat completion. */
function turnOf(body: Json): Turn {
  const messages = body.messages as Json[];
  const questionIndex = questionIndexIn(messages);
  const since = messages.slice(questionIndex + 1);
  const tools = new Map(((body.tools ?? []) as OfferedTool[]).map(({ function: tool }) => [tool.name, tool]));
  return {
    question: textOf(messages[questionIndex]?.content),
    has: (tool) => tools.has(tool),
    schemaOf: (tool) => tools.get(tool)?.parameters,
    resultOf: (tool) => {
      const ids = callIdsOf(since, tool);
      const answer = since.findLast(({ role, tool_call_id }) => role === 'tool' && ids.has(tool_call_id as string));
      return answer && textOf(answer.content);
    },
  };
}

function callIdsOf(messages: Json[], tool: string): Set<string> {
  const calls = messages.flatMap(
    ({ tool_calls }) => (tool_calls ?? []) as { id: string; function?: { name: string } }[],
  );
  return new Set(calls.filter((item) => item.function?.name === tool).map(({ id }) => id));
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as Json[]).map(({ text }) => (typeof text === 'string' ? text : '')).join('\n');
}
