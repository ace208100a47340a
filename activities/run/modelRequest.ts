import type { Rows } from '../../db/postgres/rows.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import { DEPTH_MAX } from '../../db/runs/childRuns.ts';
import type { InputItem, RunRow } from '../../db/runs/runRow.ts';
import {
  CALLS_AT_ONCE_MAX,
  type Conversation,
  type EarlierRun,
  type RecordedStep,
} from '../../db/runs/steps/stepRecords.ts';
import { type RunFile, readFileBytes } from '../../db/sessions/saveRunFiles.ts';
import type { Json } from '../../providers/provider.ts';
import { ASK_USER_NAME, CALL_AGENT_NAME, type ToolDefinition } from '../../tools/tool.ts';
import type { RunDependencies } from '../dependencies.ts';
import { answerFormOf } from './typedOutput.ts';

/** The next call of the model as an OpenAI chat request: the conversation, the agent's tools and the form of the answer. */
export async function modelRequestOf(
  { db, openTools }: RunDependencies,
  { run, conversation, model }: { run: RunRow; conversation: Conversation; model: Model },
): Promise<Json> {
  const { files } = conversation;
  const rows = db.read(run.workspace_id);
  const [definitions, media, pictures] = await Promise.all([
    toolsOf(run, conversation, openTools),
    readInputMedia(rows, { run, files, inputMediaTypes: model.inputMediaTypes }),
    readPictures(rows, conversation),
  ]);
  const unseen = unseenPicturesIn(run, files, model.inputMediaTypes);
  // Half of the context at four characters per token. The other half is for the input, the tools and the answer.
  const messages = messagesOf({ run, conversation, media, pictures, unseen, historyCharsMax: model.contextTokens * 2 });
  return { model: model.id, messages, ...answerFormOf(conversation, model, definitions) };
}

/** The tools in a model request. */
export function toolNamesIn({ tools = [] }: Json): Set<string> {
  return new Set((tools as { function: { name: string } }[]).map((tool) => tool.function.name));
}

async function toolsOf(
  run: RunRow,
  { configuration }: Conversation,
  openTools: RunDependencies['openTools'],
): Promise<ToolDefinition[]> {
  const { tools, plugins, agents } = configuration;
  const callable = agents?.length && run.depth < DEPTH_MAX ? [callAgentTool(agents)] : [];
  if (tools.length + plugins.length === 0) return callable;
  const toolbox = await openTools(configuration, run.workspace_id);
  try {
    const mayAsk = tools.includes(askUserTool.name) && hasCaller(run);
    return [...toolbox.definitions, ...callable, ...(mayAsk ? [askUserTool] : [])];
  } finally {
    await toolbox.close();
  }
}

/** Whether a run's caller can answer it: a review's trials and runs started by a model have no caller. */
export const hasCaller = ({ source, parent_run_id }: Pick<RunRow, 'source' | 'parent_run_id'>): boolean =>
  source !== 'review' && parent_run_id === null;

// Without this instruction a model often repeats its cut answer from the start.
const GO_ON = 'Continue exactly where you stopped.';

/**
 * The messages of a run's next model call: the agent's instructions with the session's files, earlier runs of the session (as many as fit
 * in `historyCharsMax`), the current input with its images and sounds (`media`), and the run's steps so far.
 */
function messagesOf({
  run,
  conversation: { configuration, earlier, steps, files },
  media,
  pictures,
  unseen,
  historyCharsMax,
}: {
  run: RunRow;
  conversation: Conversation;
  media: Json[];
  pictures: ReadonlyMap<string, Json>;
  unseen: string[];
  historyCharsMax: number;
}): Json[] {
  const note = unseen.length > 0 ? `\n\n[You cannot see pictures: ${unseen.join(', ')}.]` : '';
  const question = textOfInput(run.input, files) + note;
  return [
    { role: 'system', content: configuration.instructions + listOf(files) },
    ...historyOf(earlier, files, historyCharsMax),
    { role: 'user', content: media.length === 0 ? question : [{ type: 'text', text: question }, ...media] },
    ...steps.flatMap((step) => messagesOfStep(step, steps, pictures)),
  ];
}

function listOf(files: RunFile[]): string {
  if (files.length === 0) return '';
  const lines = files
    .slice(0, 200)
    .map(({ path, mediaType, sizeBytes }) => `- ${path} (${mediaType}, ${sizeBytes} bytes)`);
  return `\n\nFiles of this session:\n${lines.join('\n')}`;
}

// Keeps the newest: a long conversation loses its beginning.
function historyOf(earlier: EarlierRun[], files: RunFile[], charsMax: number): Json[] {
  const kept: Json[][] = [];
  let chars = 0;
  for (const { input, output } of earlier.toReversed()) {
    const question = textOfInput(input, files);
    const replyText = output.map(outputTextOf).join('\n');
    chars += question.length + replyText.length;
    if (chars > charsMax) break;
    kept.unshift([
      { role: 'user', content: question },
      { role: 'assistant', content: replyText },
    ]);
  }
  return kept.flat();
}

// A run may have no text output, and many upstreams refuse a message without text.
function outputTextOf({ text, filename, data }: EarlierRun['output'][number]): string {
  if (text !== undefined) return text;
  return filename === undefined ? JSON.stringify(data) : `[File: ${filename}]`;
}

function textOfInput(input: RunRow['input'], files: RunFile[]): string {
  if (typeof input === 'string') return input;
  return input.map((item) => textOfItem(item, files)).join('\n\n');
}

function textOfItem(item: InputItem, files: RunFile[]): string {
  switch (item.type) {
    case 'input_text':
      return item.text;
    case 'input_file':
      return `[File: ${pathOf(item.file_id, files)}]`;
    case 'input_data':
      return JSON.stringify(item.data);
    default:
      return item satisfies never;
  }
}

function pathOf(fileId: string, files: RunFile[]): string {
  return files.find((file) => file.fileId === fileId)?.path ?? fileId;
}

function messagesOfStep(
  { kind, result }: RecordedStep,
  steps: RecordedStep[],
  pictures: ReadonlyMap<string, Json>,
): Json[] {
  if (kind !== 'model') return [];
  const { text, toolCalls, outcome, repair } = result;
  if (toolCalls.length === 0) {
    // Many upstreams refuse a message without text.
    const replyText = text === '' ? [] : [{ role: 'assistant', content: text }];
    return [...replyText, ...(outcome === 'final' ? [] : [{ role: 'user', content: repair ?? GO_ON }])];
  }
  // Upstreams may refuse invalid JSON arguments, and truncated ones are long.
  const tool_calls = toolCalls.map(({ id, name, arguments: args, cutAfter }) => ({
    id,
    type: 'function',
    function: { name, arguments: cutAfter === undefined ? args : '{}' },
  }));
  return [
    { role: 'assistant', content: text === '' ? null : text, tool_calls },
    ...toolCalls.map(({ id, step, cutAfter }) => ({
      role: 'tool',
      tool_call_id: id,
      content: repair ?? (cutAfter === undefined ? answerOf(step, steps, pictures) : cutAnswer(cutAfter)),
    })),
    ...shownBy(toolCalls, steps, pictures),
  ];
}

/** The pictures that tools returned. Many upstreams accept only text as a tool's result, so a separate message follows. */
function shownBy(toolCalls: { step: number | null }[], steps: RecordedStep[], pictures: ReadonlyMap<string, Json>) {
  const ids = toolCalls.flatMap(({ step }) => pictureIdOf(steps.find((one) => one.step === step)) ?? []);
  const parts = ids.flatMap((id) => pictures.get(id) ?? []);
  if (parts.length === 0) return [];
  return [{ role: 'user', content: [{ type: 'text', text: 'The pictures of the results:' }, ...parts] }];
}

const pictureIdOf = (step: RecordedStep | undefined) =>
  step && step.kind !== 'model' ? step.result.pictureId : undefined;

const OVER_LIMIT =
  `Error: This call was not run, because an answer may call at most ${CALLS_AT_ONCE_MAX} tools at once. ` +
  'Call it again if you still need it.';

const cutAnswer = (characters: number) =>
  `Error: The call was not run: one answer is limited, and it was cut after ${characters} characters of ` +
  'its arguments. Write in parts: several calls, each far shorter.';

function answerOf(number: number | null, steps: RecordedStep[], pictures: ReadonlyMap<string, Json>): string {
  if (number === null) return OVER_LIMIT;
  const step = steps.find((one) => one.step === number);
  if (!step || step.kind === 'model') return 'The tool was not run.';
  const { text, isError, pictureId } = step.result;
  if (pictureId && !pictures.has(pictureId)) return 'The picture is no longer shown. Read it again to see it.';
  return isError ? `Error: ${text}` : text;
}

/**
 * The images and sounds of a run's input that the model accepts, as parts of a chat message in OpenAI's form. Files that left the session
 * or have another type are omitted: the model gets their names.
 */
async function readInputMedia(
  rows: Rows,
  { run, files, inputMediaTypes = [] }: { run: RunRow; files: RunFile[]; inputMediaTypes: string[] | undefined },
): Promise<Json[]> {
  const items = typeof run.input === 'string' ? [] : run.input;
  const parts: Json[] = [];
  for (const item of items) {
    if (item.type !== 'input_file') continue;
    const file = files.find(({ fileId }) => fileId === item.file_id);
    if (!file || !inputMediaTypes.includes(file.mediaType)) continue;
    const bytes = await readFileBytes(rows, file.fileId);
    if (bytes) parts.push(partOf(file.mediaType, bytes.toString('base64')));
  }
  return parts;
}

const PICTURES_MAX = 4;

/** The last pictures that tools returned, by file id, as parts of a chat message. */
async function readPictures(rows: Rows, { steps, files }: Conversation): Promise<Map<string, Json>> {
  const ids = new Set(steps.flatMap((step) => pictureIdOf(step) ?? []));
  const parts = new Map<string, Json>();
  for (const id of [...ids].slice(-PICTURES_MAX)) {
    const file = files.find(({ fileId }) => fileId === id);
    const bytes = file && (await readFileBytes(rows, id));
    if (bytes) parts.set(id, partOf(file.mediaType, bytes.toString('base64')));
  }
  return parts;
}

/** The pictures of a run's input that the model does not accept. */
function unseenPicturesIn({ input }: RunRow, files: RunFile[], inputMediaTypes: string[] = []): string[] {
  const ids =
    typeof input === 'string' ? [] : input.flatMap((item) => (item.type === 'input_file' ? item.file_id : []));
  return files
    .filter(({ fileId, mediaType }) => ids.includes(fileId) && mediaType.startsWith('image/'))
    .filter(({ mediaType }) => mediaType !== 'image/svg+xml' && !inputMediaTypes.includes(mediaType))
    .map(({ path }) => path);
}

function partOf(mediaType: string, base64: string): Json {
  if (mediaType.startsWith('image/')) {
    return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` } };
  }
  return { type: 'input_audio', input_audio: { data: base64, format: mediaType === 'audio/wav' ? 'wav' : 'mp3' } };
}

/** The tool by which a model requests input from the caller. The run waits for its caller instead of executing it. */
export const askUserTool: ToolDefinition = {
  name: ASK_USER_NAME,
  description:
    'Asks the user a question and waits for the answer. Use it only when the task cannot be done without it.',
  parameters: {
    type: 'object',
    properties: { question: { type: 'string', description: 'The question, as the user shall read it.' } },
    required: ['question'],
    additionalProperties: false,
  },
};

/** The tool by which a model calls another agent. The run waits for that agent's run instead of executing it. */
const callAgentTool = (agents: string[]): ToolDefinition => ({
  name: CALL_AGENT_NAME,
  description:
    'Gives a task to another agent, waits, and returns its answer. The other agent knows nothing but the ' +
    'input. What it costs is paid out of this run’s limit.',
  parameters: {
    type: 'object',
    properties: {
      agent: { type: 'string', enum: agents },
      input: { type: 'string', description: 'The whole task, with everything that it needs.' },
      max_cost_usd: {
        type: 'number',
        description: 'The most that it may cost in US dollars; all that is left when omitted.',
      },
    },
    required: ['agent', 'input'],
    additionalProperties: false,
  },
});
