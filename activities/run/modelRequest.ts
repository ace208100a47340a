import type { Rows } from '../../db/postgres/rows.ts';
import { compactionRuleOf } from '../../db/agents/compaction.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import { DEPTH_MAX } from '../../db/runs/childRuns.ts';
import { conversationIn, fileIdsOf } from '../../db/runs/runInput.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { Conversation } from '../../db/runs/steps/stepRecords.ts';
import { type RunFile, readFileBytes } from '../../db/sessions/saveRunFiles.ts';
import type { Json } from '../../providers/provider.ts';
import { ASK_USER_NAME, MEMORY_TOOL_NAMES, type ToolDefinition } from '../../tools/tool.ts';
import type { RunDependencies } from '../dependencies.ts';
import { askUserToolOf } from './askUserTool.ts';
import { callAgentTool } from './calledAgent.ts';
import { mediaPartOf, messagesOfSession, readInputFiles, type InputFiles } from './inputMessages.ts';
import { messagesOfSteps, pictureIdOf } from './stepMessages.ts';
import { noteOfState } from './stateNote.ts';
import { answerFormOf } from './typedOutput.ts';

/** The next call of the model as an OpenAI chat request: the conversation, the agent's tools and the form of the answer. */
export async function modelRequestOf(
  dependencies: RunDependencies,
  {
    run,
    conversation,
    model,
    isSummary = false,
  }: { run: RunRow; conversation: Conversation; model: Model; isSummary?: boolean },
): Promise<Json> {
  const { files } = conversation;
  const rows = dependencies.db.read(run.workspace_id);
  const [definitions, given, pictures, note] = await Promise.all([
    toolsOf(dependencies, run, conversation),
    readInputFiles(rows, { input: run.input, files, inputMediaTypes: model.inputMediaTypes }),
    readPictures(rows, conversation),
    // The steps of a summary are not all: later ones may have shown the state.
    isSummary ? [] : noteOfState(rows, run, conversation.steps),
  ]);
  // Half of the context at four characters per token. The other half is for the input, the tools and the answer.
  const historyCharsMax = model.contextTokens * 2;
  const resultsCharsMax = resultsCharsMaxOf(conversation, model);
  const messages = messagesOf({ run, conversation, given, pictures, historyCharsMax, resultsCharsMax });
  return { model: model.id, messages: [...messages, ...note], ...answerFormOf(conversation, model, definitions) };
}

/** Characters of one turn's results: a quarter of the context where the conversation is compacted, so that the last turns always fit. */
export function resultsCharsMaxOf({ configuration }: Pick<Conversation, 'configuration'>, model: Model): number {
  return compactionRuleOf(configuration, model) && model.contextTokens > 0 ? model.contextTokens : Infinity;
}

/** The tools in a model request. */
export function toolNamesIn({ tools = [] }: Json): Set<string> {
  return new Set((tools as { function: { name: string } }[]).map((tool) => tool.function.name));
}

async function toolsOf(
  dependencies: RunDependencies,
  run: RunRow,
  { configuration }: Conversation,
): Promise<ToolDefinition[]> {
  const { tools, plugins, agents, http_tools: httpTools } = configuration;
  const mayCall = agents?.length && run.depth < DEPTH_MAX;
  const called = mayCall ? await callAgentTool(dependencies, run, agents) : undefined;
  const callable = called ? [called] : [];
  if (tools.length + plugins.length + (httpTools?.length ?? 0) === 0) return callable;
  const toolbox = await dependencies.openTools(configuration, run.workspace_id);
  try {
    const mayAsk = tools.includes(ASK_USER_NAME) && hasCaller(run);
    // Without a user there is nobody to remember.
    const offered = toolbox.definitions.filter(
      ({ name }) => run.end_user !== null || !MEMORY_TOOL_NAMES.includes(name),
    );
    return [...offered, ...callable, ...(mayAsk ? [askUserToolOf(configuration)] : [])];
  } finally {
    await toolbox.close();
  }
}

/** Whether a run's caller can answer it: a review's trials and runs started by a model have no caller. */
export const hasCaller = ({ source, parent_run_id }: Pick<RunRow, 'source' | 'parent_run_id'>): boolean =>
  source !== 'review' && parent_run_id === null;

/**
 * The messages of a run's next model call: the agent's instructions with the session's files, earlier runs of the session (as many as fit
 * in `historyCharsMax`), the current input, and the run's steps so far, or what replaces them and the last ones. The beginning stays the same from turn to turn, so that vendors
 * can cache it.
 */
function messagesOf({
  run: { input, output },
  conversation: { configuration, earlier, steps, files },
  given,
  pictures,
  historyCharsMax,
  resultsCharsMax,
}: {
  run: RunRow;
  conversation: Conversation;
  given: InputFiles;
  pictures: ReadonlyMap<string, Json>;
  historyCharsMax: number;
  resultsCharsMax: number;
}): Json[] {
  // A conversation names its files where they were sent, and the run's steps name those that they have written.
  const written = (output as { file_id?: string }[]).flatMap(({ file_id: id }) => id ?? []);
  const named = new Set([...(conversationIn(input) ? fileIdsOf(input) : []), ...written]);
  const listed = files.filter(({ fileId }) => !named.has(fileId));
  return [
    { role: 'system', content: configuration.instructions + listOf(listed) },
    ...messagesOfSession({ earlier, input, charsMax: historyCharsMax }, given),
    ...messagesOfSteps(steps, { pictures, resultsCharsMax }),
  ];
}

function listOf(files: RunFile[]): string {
  if (files.length === 0) return '';
  const lines = files
    .slice(0, 200)
    .map(({ path, mediaType, sizeBytes }) => `- ${path} (${mediaType}, ${sizeBytes} bytes)`);
  return `\n\nFiles of this session:\n${lines.join('\n')}`;
}

const PICTURES_MAX = 4;

/** The last pictures that tools returned, by file id, as parts of a chat message. */
async function readPictures(rows: Rows, { steps, files }: Conversation): Promise<Map<string, Json>> {
  const ids = new Set(steps.flatMap((step) => pictureIdOf(step) ?? []));
  const parts = new Map<string, Json>();
  for (const id of [...ids].slice(-PICTURES_MAX)) {
    const file = files.find(({ fileId }) => fileId === id);
    const bytes = file && (await readFileBytes(rows, id));
    if (bytes) parts.set(id, mediaPartOf(file.mediaType, bytes.toString('base64')));
  }
  return parts;
}
