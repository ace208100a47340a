import type { Json } from '../../providers/provider.ts';
import type { Script } from '../scripted/script.ts';
import { analysisCode } from './analysisCode.ts';
import { fillSchema } from './fillSchema.ts';
import { type Turn, turnOf } from './turn.ts';

/** The model's id on the wire, as the catalogue names it upstream. */
export const REHEARSAL_MODEL_ID = 'rehearsal';

interface OfferedTool {
  function: { name: string; parameters?: unknown };
}

/**
 * What the rehearsal model does next with a chat. It is no language model but a few rules that call an agent's tools in a sensible
 * order and answer with what the tools said: enough to see a run work where no model vendor is set up. A call that must come, and
 * an answer that must have a form, are filled by their schema.
 */
export function rehearse(body: Json): Script {
  const turn = turnOf(body);
  const usual = analyse(turn) ?? research(turn) ?? write(turn) ?? { text: INTRODUCTION };
  const forced = forcedToolOf(body, usual);
  if (forced)
    return call(
      forced.function.name,
      fillSchema(forced.function.parameters ?? { type: 'object' }, turn.question) as object,
    );
  return usual.toolCalls ? usual : { text: inForm(body.response_format as Json | undefined, usual.text!) };
}

/** The tool that the caller wants called, unless the rules call one that will do. */
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
  'This is a rehearsal: rules stand in for a language model. They can list files, add up the columns of a CSV file, search documents and save a text. Name a model of a vendor in AGENT_MODEL for real answers.';

function analyse(turn: Turn): Script | undefined {
  if (!turn.has('list_files') || !turn.has('run_code')) return undefined;
  const listing = turn.resultOf('list_files');
  if (listing === undefined) return call('list_files', {});
  const path = tableIn(listing);
  if (path === undefined) return { text: `There is no CSV file to compute with. ${listing}` };
  const printed = turn.resultOf('run_code');
  if (printed === undefined) return call('run_code', { language: 'javascript', code: analysisCode(path) });
  return { text: `Computed from ${path}:\n${printed}` };
}

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

const call = (name: string, input: object): Script => ({ toolCalls: [{ name, arguments: JSON.stringify(input) }] });

// A listing has a line a file: its path, and in brackets its type and size.
function tableIn(listing: string): string | undefined {
  return /^(.+\.csv) \([^()]*\)$/im.exec(listing)?.[1];
}

function longestWordIn(question: string): string {
  const words = question.match(/[\p{L}\p{N}]{3,}/gu) ?? ['the'];
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest));
}
