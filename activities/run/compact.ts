import type { Model } from '../../db/catalog/catalog.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { RunEnding } from '../../db/runs/states/finishRun.ts';
import type { CompactionResult, Conversation } from '../../db/runs/steps/stepRecords.ts';
import type { BegunStep } from '../../db/runs/stepFacts.ts';
import { reportProgress, type StepEnding } from '../../db/runs/steps/steps.ts';
import type { Json } from '../../providers/provider.ts';
import type { RunDependencies } from '../dependencies.ts';
import { callModel, type ModelReply } from './callModel.ts';
import type { CompactionPlan } from './compaction.ts';
import { modelRequestOf } from './modelRequest.ts';
import { endOfLimit } from './modelStepEnding.ts';
import { stateSeenIn } from './stateNote.ts';
import type { Watch } from './watchActivity.ts';

const SUMMARIZE =
  'Summarize this task so far, for yourself: your next messages will see the summary in place of the messages above. Keep what was asked, ' +
  'what was done and found (names, numbers, paths, decisions, errors) and what is left to do. Write only the summary, and call no tool.';

/** A compaction: `mode` is the one that the step began with, `plan` what it replaces, if it still has to. */
interface Compacting {
  run: RunRow;
  begun: BegunStep;
  conversation: Conversation;
  plan: CompactionPlan | undefined;
}

/** The call of the model for a summary: the messages that it replaces as they were sent before, and the order. Null without a call. */
export async function summaryRequestOf(
  dependencies: RunDependencies,
  { run, begun, conversation, plan, model }: Compacting & { model: Model },
): Promise<Json | null> {
  if (!plan || begun.name !== 'summarize') return null;
  const steps = conversation.steps.filter(({ kind, step }) => kind === 'compaction' || step <= plan.through);
  const replaced = { ...conversation, steps };
  const request = await modelRequestOf(dependencies, { run, conversation: replaced, model, isSummary: true });
  const { response_format: _form, tool_choice: _choice, ...body } = request;
  const order = plan.instructions ? `${SUMMARIZE}\n\n${plan.instructions}` : SUMMARIZE;
  const messages = [...(body.messages as Json[]), { role: 'user', content: order }];
  const takesChoice = model.supportedParameters?.includes('tool_choice') ?? true;
  return { ...body, messages, ...(body.tools !== undefined && takesChoice && { tool_choice: 'none' }) };
}

// A summary has at most an eighth of the context, but some room for a model that reasons first.
const SUMMARY_SHARE = 8;
const SUMMARY_TOKENS_MIN = 1_024;

/** Compacts a conversation: the end of the step, and of the run, if the call of the model has reached one of its limits. */
export async function compact(
  dependencies: RunDependencies,
  {
    body,
    model,
    watch,
    produced,
    ...compacting
  }: Compacting & { body: Json | null; model: Model; watch: Watch; produced: { outputTokens: number } },
): Promise<{ ending: StepEnding; result: CompactionResult; reply?: ModelReply; runEnding?: RunEnding | undefined }> {
  const { run, begun, plan, conversation } = compacting;
  const mode = begun.name === 'summarize' ? 'summarize' : 'truncate';
  const seen = stateSeenIn(conversation.steps);
  const done = {
    text: '',
    toolCalls: [] as [],
    outcome: 'compacted' as const,
    mode,
    through: plan?.through ?? 0,
    ...(seen !== undefined && { stateVersion: seen }),
  } as const;
  if (body === null) return { result: done, ending: endingOf(done, {}) };
  const outputTokensMax = Math.min(
    model.outputTokensMax,
    Math.max(SUMMARY_TOKENS_MIN, Math.floor(model.contextTokens / SUMMARY_SHARE)),
  );
  const reply = await callModel(dependencies, {
    run,
    model: { ...model, outputTokensMax },
    body,
    begun,
    watch,
    produced,
    // A summary is the result of its step, and no output of the run.
    write: (event, quantities) => {
      const events = event.type === 'run.progress' ? [event] : [];
      return reportProgress(dependencies.db.pool, begun, { events, quantities });
    },
  });
  const { text, outcome, quantities } = reply;
  const isDone = outcome !== 'limit' && outcome !== 'timeout' && outcome !== 'stopped';
  // Text of an answer that the upstream's filter stopped is not kept: then the messages are only left out.
  const kept = outcome === 'filtered' ? '' : text.trim();
  const result = isDone ? { ...done, text: kept } : { ...done, text: kept, outcome, through: 0 };
  return { result, reply, ending: endingOf(result, quantities), runEnding: endOfLimit(outcome, run) };
}

const endingOf = (result: CompactionResult, quantities: StepEnding['quantities']): StepEnding => ({
  state: 'completed',
  result,
  quantities,
});
