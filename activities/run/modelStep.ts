import { askUserTool } from './askUser.ts';
import { readConversation, type Conversation, type ModelResult } from '../../db/runs/conversation.ts';
import type { EventHead, NewEvent } from '../../db/runs/appendEvents.ts';
import type { Quantities } from '../../db/runs/rowCost.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { beginStep, endStep, reportProgress, type BegunStep } from '../../db/runs/steps.ts';
import { sessionFilesOf } from '../../db/sessions/runFiles.ts';
import type { Json } from '../../providers/provider.ts';
import type { RunDependencies } from './dependencies.ts';
import { failStep } from './failStep.ts';
import { readInputMedia } from './inputMedia.ts';
import { messagesOf } from './messages.ts';
import { think, type Thought } from './think.ts';
import { watchActivity } from './watchActivity.ts';

export interface StepOrder {
  runId: string;
  step: number;
  /** When the run's time is up, in milliseconds since 1970. */
  deadlineMs: number;
}

/** What the history keeps of a model step. A tool that the agent does not have is `unknown`: its name is the model's own words. */
export interface ModelStepResult {
  outcome: ModelResult['outcome'];
  toolCalls: { step: number; name: string }[];
  meters: Quantities;
  events: EventHead[];
}

/** Asks the model what to do next: one call, told to callers while it comes, metered, and kept for the steps after it. */
export function createModelStep(dependencies: RunDependencies): (order: StepOrder) => Promise<ModelStepResult> {
  const { db, model } = dependencies;
  return async ({ runId, step, deadlineMs }) => {
    const started = await beginStep(db.pool, { runId, step, kind: 'model', name: model.id });
    const { begun, run, events } = started;
    if (started.result) return { ...toldOf(started.result as ModelResult), meters: {}, events };
    const produced = { outputTokens: 0 };
    const watch = watchActivity({ deadlineMs, progress: () => produced });
    try {
      const body = await bodyOf(dependencies, run);
      const write = (event: NewEvent, quantities: Quantities) =>
        reportProgress(db.pool, begun, { events: [event], quantities });
      const thought = await think(dependencies, { run, body, itemId: itemIdOf(begun), watch, produced, write });
      const result = resultOf(step, thought);
      const ended = await endStep(db.pool, begun, endingOf(begun, thought, result));
      return { ...toldOf(result, toolNamesIn(body)), meters: thought.quantities, events: [...events, ...ended.events] };
    } catch (error) {
      throw await failStep(db.pool, begun, error, watch);
    } finally {
      watch.end();
    }
  };
}

async function bodyOf({ db, model, openTools }: RunDependencies, run: RunRow): Promise<Json> {
  const [conversation, files] = await Promise.all([
    readConversation(db.pool, run),
    sessionFilesOf(db.pool, { workspaceId: run.workspace_id, sessionId: run.session_id }),
  ]);
  const [tools, media] = await Promise.all([
    toolsOf(run, conversation, openTools),
    readInputMedia(db.pool, { run, files, inputMediaTypes: model.inputMediaTypes }),
  ]);
  // Half of the context at four characters a token: the rest is for the question, the tools and the answer.
  const messages = messagesOf({ run, conversation, files, media, historyCharsMax: model.contextTokens * 2 });
  return { model: model.id, messages, ...(tools.length > 0 && { tools }) };
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
    // Nobody would answer the trials of a review.
    const mayAsk = tools.includes(askUserTool.name) && run.source !== 'review';
    const definitions = [...toolbox.definitions, ...(mayAsk ? [askUserTool] : [])];
    return definitions.map((definition) => ({ type: 'function', function: definition }));
  } finally {
    await toolbox.close();
  }
}

function toolNamesIn({ tools = [] }: Json): Set<string> {
  return new Set((tools as { function: { name: string } }[]).map((tool) => tool.function.name));
}

function resultOf(step: number, { text, calls, outcome }: Thought): ModelResult {
  const toolCalls = calls.map((call, index) => ({ ...call, id: call.id || `call_${index}`, step: step + 1 + index }));
  return { text, toolCalls, outcome };
}

function toldOf({ outcome, toolCalls }: ModelResult, known?: Set<string>) {
  const nameOf = (name: string) => (!known || known.has(name) ? name : 'unknown');
  return { outcome, toolCalls: toolCalls.map(({ step, name }) => ({ step, name: nameOf(name) })) };
}

function endingOf(begun: BegunStep, { text, quantities, left }: Thought, result: ModelResult) {
  const hasText = text !== '';
  return {
    state: 'completed' as const,
    result,
    quantities,
    events: hasText ? [...left, { type: 'run.output_text.done', data: { item_id: itemIdOf(begun), text } }] : left,
    output: hasText ? [{ type: 'output_text', text }] : [],
  };
}

const itemIdOf = ({ id }: BegunStep) => id.replace(/^step_/, 'item_');
