import type { Conversation } from '../../db/runs/stepRecords.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { Json } from '../../providers/provider.ts';
import { askUserTool } from './askUser.ts';
import type { RunDependencies } from './dependencies.ts';
import { readInputMedia } from './inputMedia.ts';
import { messagesOf } from './messages.ts';

/** The next call of the model as an OpenAI chat request: the conversation and the agent's tools. */
export async function modelRequestOf(
  { db, model, openTools }: RunDependencies,
  run: RunRow,
  conversation: Conversation,
): Promise<Json> {
  const { files } = conversation;
  const [tools, media] = await Promise.all([
    toolsOf(run, conversation, openTools),
    readInputMedia(db.pool, { run, files, inputMediaTypes: model.inputMediaTypes }),
  ]);
  // Half of the context at four characters per token: the rest is for the input, the tools and the answer.
  const messages = messagesOf({ run, conversation, media, historyCharsMax: model.contextTokens * 2 });
  return { model: model.id, messages, ...(tools.length > 0 && { tools }) };
}

/** The tools in a model request. */
export function toolNamesIn({ tools = [] }: Json): Set<string> {
  return new Set((tools as { function: { name: string } }[]).map((tool) => tool.function.name));
}

async function toolsOf(
  run: RunRow,
  { configuration }: Conversation,
  openTools: RunDependencies['openTools'],
): Promise<object[]> {
  const { tools, plugins } = configuration;
  if (tools.length + plugins.length === 0) return [];
  const toolbox = await openTools(configuration);
  try {
    // Trials of a review have no caller who could answer.
    const mayAsk = tools.includes(askUserTool.name) && run.source !== 'review';
    const definitions = [...toolbox.definitions, ...(mayAsk ? [askUserTool] : [])];
    return definitions.map((definition) => ({ type: 'function', function: definition }));
  } finally {
    await toolbox.close();
  }
}
