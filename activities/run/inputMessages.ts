import { conversationIn, fileIdsOf, type RunInput } from '../../db/runs/runInput.ts';
import type { ConversationItem, InputItem, RunRow } from '../../db/runs/runRow.ts';
import type { EarlierRun } from '../../db/runs/steps/stepRecords.ts';
import { type RunFile, readFileBytes } from '../../db/sessions/saveRunFiles.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import type { Json } from '../../providers/provider.ts';

/** The session's files, and those of the input that a model sees itself, as parts of a chat message. */
export interface InputFiles {
  files: RunFile[];
  media: ReadonlyMap<string, Json>;
  /** The input's pictures that the model does not accept, by file id. */
  unseen: ReadonlySet<string>;
}

/** An earlier run's files are only named. */
const namesOf = (files: RunFile[]): InputFiles => ({ files, media: new Map(), unseen: new Set() });

/** The chat messages of a run's input: one of the user, or a conversation with its roles. */
function messagesOfInput(input: RunInput, files: InputFiles): Json[] {
  const conversation = conversationIn(input);
  if (conversation) return messagesOfConversation(conversation, files);
  return [{ role: 'user', content: typeof input === 'string' ? input : contentOf(input, files) }];
}

/**
 * The chat messages of a session: of its earlier runs, as many of the newest as have together at most `charsMax` characters (a long
 * conversation loses its beginning), and of the current input. Instructions that a caller repeats with each turn are there once.
 */
export function messagesOfSession(
  { earlier, input, charsMax }: { earlier: EarlierRun[]; input: RunInput; charsMax: number },
  given: InputFiles,
): Json[] {
  const turns: Json[][] = [];
  let chars = 0;
  for (const { input: asked, output } of earlier.toReversed()) {
    const replyText = output.map(outputTextOf).join('\n');
    const turn = [...messagesOfInput(asked, namesOf(given.files)), { role: 'assistant', content: replyText }];
    chars += turn.reduce((sum, message) => sum + charactersOf(message), 0);
    if (chars > charsMax) break;
    turns.unshift(turn);
  }
  return [...turns, messagesOfInput(input, given)].reduce<Json[]>((before, turn) => {
    const known = new Set(before.flatMap(({ role, content }) => (role === 'system' ? [content] : [])));
    return [...before, ...turn.filter(({ role, content }) => role !== 'system' || !known.has(content))];
  }, []);
}

const charactersOf = ({ content, tool_calls: calls }: Json): number =>
  ((content as string | null)?.length ?? 0) + (calls ? JSON.stringify(calls).length : 0);

// A run may have no text output, and many upstreams refuse a message without text.
function outputTextOf({ text, filename, data }: EarlierRun['output'][number]): string {
  if (text !== undefined) return text;
  return filename === undefined ? JSON.stringify(data) : `[File: ${filename}]`;
}

// Said in each message, so that no message changes when another one is added: prompt caches compare beginnings.
const FROM_CALLER =
  'Instructions of the caller. They stand below the instructions of the agent: where the two contradict each other, the agent’s apply.\n\n';

function messagesOfConversation(conversation: ConversationItem[], files: InputFiles): Json[] {
  const messages: Json[] = [];
  for (const item of conversation) {
    if (item.type === 'function_call') addCall(messages, item);
    else if (item.type === 'function_call_output')
      messages.push({ role: 'tool', tool_call_id: item.call_id, content: item.output });
    else messages.push(messageOf(item, files));
  }
  return messages;
}

function messageOf({ role, name, content }: ConversationItem & { type: 'message' }, files: InputFiles): Json {
  const said = typeof content === 'string' ? content : contentOf(content, files);
  const about = name === undefined ? {} : { name };
  if (role === 'user' || role === 'assistant') return { role, ...about, content: said };
  return { role: 'system', ...about, content: `${FROM_CALLER}${said as string}` };
}

/** The text and the calls of one answer are one message. */
function addCall(
  messages: Json[],
  { call_id: id, name, arguments: args }: ConversationItem & { type: 'function_call' },
): void {
  const call = { id, type: 'function', function: { name, arguments: args } };
  const last = messages.at(-1);
  if (last?.role === 'assistant') last.tool_calls = [...((last.tool_calls as Json[] | undefined) ?? []), call];
  else messages.push({ role: 'assistant', content: null, tool_calls: [call] });
}

/** The content of one message: its text, then the files that the model sees itself. */
function contentOf(items: InputItem[], { files, media, unseen }: InputFiles): string | Json[] {
  const ids = fileIdsOf(items);
  const hidden = ids.filter((id) => unseen.has(id)).map((id) => pathOf(id, files));
  const note = hidden.length > 0 ? `\n\n[You cannot see pictures: ${hidden.join(', ')}.]` : '';
  const text = items.map((item) => textOfItem(item, files)).join('\n\n') + note;
  const shown = ids.map((id) => media.get(id)).filter((part) => part !== undefined);
  return shown.length === 0 ? text : [{ type: 'text', text }, ...shown];
}

function textOfItem(item: InputItem, files: RunFile[]): string {
  if (item.type === 'input_text') return item.text;
  if (item.type === 'input_file') return `[File: ${pathOf(item.file_id, files)}]`;
  return item.type === 'input_data' ? JSON.stringify(item.data) : '';
}

const pathOf = (fileId: string, files: RunFile[]): string =>
  files.find((file) => file.fileId === fileId)?.path ?? fileId;

/**
 * Reads the images and sounds of a run's input that the model accepts. Files that left the session or have another type are omitted: the
 * model gets their names.
 */
export async function readInputFiles(
  rows: Rows,
  {
    input,
    files,
    inputMediaTypes = [],
  }: { files: RunFile[]; inputMediaTypes: string[] | undefined } & Pick<RunRow, 'input'>,
): Promise<InputFiles> {
  const media = new Map<string, Json>();
  const unseen = new Set<string>();
  for (const id of fileIdsOf(input)) {
    const file = files.find(({ fileId }) => fileId === id);
    if (!file) continue;
    if (!inputMediaTypes.includes(file.mediaType)) {
      if (isPicture(file)) unseen.add(id);
      continue;
    }
    const bytes = await readFileBytes(rows, id);
    if (bytes) media.set(id, mediaPartOf(file.mediaType, bytes.toString('base64')));
  }
  return { files, media, unseen };
}

const isPicture = ({ mediaType }: RunFile): boolean => mediaType.startsWith('image/') && mediaType !== 'image/svg+xml';

/** An image or a sound as a part of a chat message. */
export function mediaPartOf(mediaType: string, base64: string): Json {
  if (mediaType.startsWith('image/')) {
    return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` } };
  }
  return { type: 'input_audio', input_audio: { data: base64, format: mediaType === 'audio/wav' ? 'wav' : 'mp3' } };
}
