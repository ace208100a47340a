import { z } from 'zod';
import type { ConversationItem, InputItem } from '../db/runs/runRow.ts';
import { record } from '../base/record.ts';

export const TEXT_CHARACTERS_MAX = 262_144;
/** Items of one message. */
const PARTS_MAX = 64;
/** Items of a conversation. */
const ITEMS_MAX = 2_048;
const NAME_CHARACTERS_MAX = 256;

export const id = (prefix: string) =>
  z.string().regex(new RegExp(`^${prefix}_[0-9A-Za-z]{1,60}$`), `This id is ${prefix}_ and letters and digits.`);

export const text = z.string().min(1).max(TEXT_CHARACTERS_MAX);
// Models also call tools without arguments, and tools also return nothing.
const empty = z.string().max(TEXT_CHARACTERS_MAX);
const name = z.string().min(1).max(NAME_CHARACTERS_MAX);

const inputText = z.strictObject({ type: z.literal('input_text'), text });
const inputFile = z.strictObject({ type: z.literal('input_file'), file_id: id('file') });

const item = z.discriminatedUnion('type', [
  inputText,
  inputFile,
  z.strictObject({
    type: z.literal('input_data'),
    data: record(z.string(), z.unknown()).describe('Fits the agent’s `input_schema`.'),
  }),
  z.strictObject({
    type: z.literal('message'),
    role: z
      .enum(['system', 'developer', 'user', 'assistant'])
      .describe('The agent’s own instructions stand above those of `system` and `developer`.'),
    name: name.optional(),
    content: z
      .union([
        text,
        z
          .array(z.discriminatedUnion('type', [inputText, inputFile]))
          .min(1)
          .max(PARTS_MAX),
      ])
      .describe('Files only in messages of the user.'),
  }),
  z.strictObject({ type: z.literal('function_call'), call_id: name, name, arguments: empty }),
  z.strictObject({ type: z.literal('function_call_output'), call_id: name, output: empty }),
]);

const items = z
  .array(item)
  .min(1)
  .max(ITEMS_MAX)
  .superRefine((all, context) => {
    const fault = faultOf(all);
    if (fault) context.addIssue({ code: 'custom', path: fault.path, message: fault.message });
  });

/** The input of a run. */
export const input = z
  .union([text, items], 'The input is a text, or a list of texts, files and data, or of messages.')
  .describe(
    'A text; or the texts, files and data of one message; or a conversation of items `message`, `function_call` and ' +
      '`function_call_output`, whose last one is a message of the user.',
  );

interface Fault {
  path: (string | number)[];
  message: string;
}

function faultOf(all: InputItem[]): Fault | undefined {
  if (all.length === 0) return undefined;
  if (charactersIn(all) > TEXT_CHARACTERS_MAX)
    return { path: [], message: `The texts have at most ${TEXT_CHARACTERS_MAX} characters together.` };
  const other = all.findIndex((one) => isPart(one) !== isPart(all[0]!));
  if (other >= 0)
    return { path: [other, 'type'], message: 'A conversation has its texts and files within its messages.' };
  if (!isPart(all[0]!)) return faultOfConversation(all as ConversationItem[]);
  return all.length > PARTS_MAX ? { path: [], message: `A message has at most ${PARTS_MAX} items.` } : undefined;
}

/** The characters of all texts in an input. */
export const charactersIn = (all: InputItem[]): number => all.reduce((sum, one) => sum + charactersOf(one), 0);

const isPart = ({ type }: InputItem): boolean => type.startsWith('input_');

function charactersOf(one: InputItem): number {
  switch (one.type) {
    case 'input_text':
      return one.text.length;
    case 'message':
      return typeof one.content === 'string' ? one.content.length : charactersIn(one.content);
    case 'function_call':
      return one.arguments.length;
    case 'function_call_output':
      return one.output.length;
    case 'input_file':
    case 'input_data':
      return 0;
    default:
      return one satisfies never;
  }
}

/** Models require each call's result right after the calls of its message. */
function faultOfConversation(all: ConversationItem[]): Fault | undefined {
  const open = new Set<string>();
  for (const [at, one] of all.entries()) {
    const isCall = one.type === 'function_call' && all[at - 1]?.type !== 'function_call_output';
    if (one.type !== 'function_call_output' && !isCall && open.size > 0)
      return { path: [at], message: 'The results of the calls before it are missing.' };
    if (one.type === 'function_call') {
      if (open.has(one.call_id)) return { path: [at, 'call_id'], message: 'Another call has this id.' };
      open.add(one.call_id);
    } else if (one.type === 'function_call_output') {
      if (!open.delete(one.call_id)) return { path: [at, 'call_id'], message: 'No call before it has this id.' };
    } else if (hasFile(one) && one.role !== 'user')
      return { path: [at, 'content'], message: 'Only messages of the user have files.' };
  }
  const last = all.at(-1)!;
  if (last.type === 'message' && last.role === 'user') return undefined;
  return { path: [all.length - 1], message: 'The last message must be the user’s.' };
}

const hasFile = ({ content }: ConversationItem & { type: 'message' }): boolean =>
  typeof content !== 'string' && content.some(({ type }) => type === 'input_file');
