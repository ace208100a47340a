import { tracing } from '../../base/tracing.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import type { ThousandthsByMeter } from '../../db/runs/cost/runCost.ts';
import { dataIn } from '../../db/agents/modelSettings.ts';
import type { CutText } from '../../db/runs/cutText.ts';
import type { NewEvent } from '../../db/events/appendEvents.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import type { BegunStep } from '../../db/runs/stepFacts.ts';
import type { ModelResult } from '../../db/runs/steps/stepRecords.ts';
import { coveredPart } from '../../providers/metering/coveredPart.ts';
import { noteImplausibleUsage } from '../../providers/metering/implausibleUsage.ts';
import { mediaIn } from '../../providers/metering/media.ts';
import { createTokenMeter, type TokenMeter } from '../../providers/metering/tokenMeter.ts';
import { TOLERANCE } from '../../providers/metering/readUsage.ts';
import type { Json, Usage } from '../../providers/provider.ts';
import { traceModel } from '../../providers/tracedModel.ts';
import { countPromptTokens, createTokenMemory } from '../../providers/metering/tokens.ts';
import type { RunDependencies } from '../dependencies.ts';
import { createAnswerWriter } from './answerWriter.ts';
import { createChatAnswer, type CalledTool, type ChatAnswer } from './chatAnswer.ts';
import { coverCall, modelQuantities } from './spending.ts';
import { stopOutcomeOf, type Watch } from './watchActivity.ts';

/**
 * A model's reply, and why it stopped. `limit`: the run's money ran out; `length`: the answer reached the model's or its upstream's length
 * limit; `filtered`: the upstream's content filter. `left` holds the unwritten events.
 */
export interface ModelReply {
  text: string;
  calls: CalledTool[];
  outcome: Exclude<ModelResult['outcome'], 'misfit'> | 'filtered';
  /** The part of the model's context that the call has used. */
  contextTokens: number;
  quantities: ThousandthsByMeter;
  left: NewEvent[];
}

/** One call of the model, and how its output is stored as it arrives. `produced` is kept up to date for heartbeats. */
export interface ModelCall {
  run: RunRow;
  model: Model;
  body: Json;
  begun: BegunStep;
  /** The text to continue. */
  cut?: CutText | undefined;
  watch: Watch;
  produced: { outputTokens: number };
  write(event: NewEvent, quantities: ThousandthsByMeter): Promise<void>;
}

/**
 * Calls the model and streams its reply. Stops it when the run is cancelled, times out or runs out of money. Throws the provider's errors,
 * and `LeaseLost` when another worker has taken over the step.
 */
export function callModel(dependencies: ModelDependencies, call: ModelCall): Promise<ModelReply> {
  if (!tracing) return streamReply(dependencies, call);
  const tokensOf = ({ quantities }: ModelReply) => ({
    input: (quantities.model_input_tokens ?? 0) / 1000,
    output: (quantities.model_output_tokens ?? 0) / 1000,
  });
  return traceModel(tracing, { model: call.model, tokensOf }, () => streamReply(dependencies, call));
}

type ModelDependencies = Pick<RunDependencies, 'textProviders'>;

/** Counts the tokens of a text, each text once. About 1 MB. */
export const countOnce = createTokenMemory(10_000);

async function streamReply({ textProviders }: ModelDependencies, call: ModelCall): Promise<ModelReply> {
  const { run, model, body, begun, cut, watch, produced } = call;
  const inputTokens = await countPromptTokens(body, model.mediaTokens, countOnce);
  const covered = coverCall(run, { inputTokens, tokensMax: model.outputTokensMax });
  if (!covered) return emptyReply('limit');
  const { held, affordableTokens } = covered;
  const answer = createChatAnswer();
  const meter = createTokenMeter({
    estimatedPromptTokens: inputTokens,
    countPrompt: () => Promise.resolve(inputTokens),
    bounds: { inputTokensMax: Math.max(model.contextTokens, inputTokens * 4), outputTokensMax: model.outputTokensMax },
    limitTokens: affordableTokens,
    onImplausible: () => noteImplausibleUsage(model.id),
  });
  const limit = {
    isCovered: () => meter.atMost().outputTokens <= affordableTokens,
    outputTokensMax: () => affordableTokens,
  };
  let isStopped = false;
  const stop = new AbortController();
  const writer = createAnswerWriter({
    begun,
    cut,
    produced,
    write: (event) => call.write(event, modelQuantities({ inputTokens, ...produced })),
    onError: (error) => stop.abort(error),
  });
  const signal = AbortSignal.any([watch.signal, stop.signal]);
  try {
    const request = requestOf(body, affordableTokens);
    await meter.count();
    for await (const chunks of await textProviders.of(held, model).stream('chat/completions', request, signal)) {
      meter.observe(chunks);
      const covered = (await meter.isPastLimit()) ? await coveredPart(meter, chunks, limit) : chunks;
      // The answer is complete if only its usage exceeds the hold.
      isStopped = covered !== chunks;
      writer.add(answer.push(covered));
      produced.outputTokens = meter.soFar().outputTokens;
      if (!isStopped) continue;
      stop.abort('limit');
      break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    writer.stopProgress();
  }
  const left = await writer.rest();
  const limits = { affordableTokens, outputTokensMax: model.outputTokensMax, isStopped };
  return replyOf(call, { answer, meter, inputTokens, limits, left });
}

/** The reply of a call that is over: by itself, by a limit, or because the run was stopped. */
async function replyOf({ body, model, watch, produced }: ModelCall, over: OverCall): Promise<ModelReply> {
  const { answer, meter, inputTokens, limits, left } = over;
  const stopped = watch.signal.aborted ? stopOutcomeOf(watch) : undefined;
  // An answer with a finish reason is complete, even if the run is stopped.
  const cutBy = answer.finishReason() === null ? stopped : undefined;
  if (cutBy && produced.outputTokens === 0) return emptyReply(cutBy);
  const usage = withPrompt(await meter.final(), { inputTokens, body, model });
  const outcome = cutBy ?? endOf(answer, usage.outputTokens, limits);
  const isCut = limits.isStopped || answer.finishReason() === 'length';
  const calls = outcome === 'tools' ? callsOf(answer.calls(), isCut) : [];
  const contextTokens = usage.inputTokens + usage.outputTokens;
  return { text: answer.text(), calls, outcome, contextTokens, quantities: modelQuantities(usage), left };
}

interface OverCall {
  answer: ChatAnswer;
  meter: TokenMeter;
  inputTokens: number;
  limits: Limits;
  left: NewEvent[];
}

interface Limits {
  affordableTokens: number;
  outputTokensMax: number;
  /** The output has reached what the run can pay for. */
  isStopped: boolean;
}

/** Replaces the prompt's tokens by our own count if the upstream reports far less than was sent. */
function withPrompt(usage: Usage, sent: { inputTokens: number; body: Json; model: Model }): Usage {
  const { inputTokens, body, model } = sent;
  // An upstream may read only as much of a prompt as its context; the count of an image differs more between models.
  const readTokens = Math.min(inputTokens, model.contextTokens || Infinity);
  if (readTokens <= TOLERANCE * usage.inputTokens || mediaIn(body).tokens > 0) return usage;
  noteImplausibleUsage(model.id);
  return { inputTokens, outputTokens: usage.outputTokens };
}

function requestOf(body: Json, outputTokensMax: number): Json {
  return { ...body, max_completion_tokens: outputTokensMax, stream: true, stream_options: { include_usage: true } };
}

const emptyReply = (outcome: ModelReply['outcome']): ModelReply => ({
  text: '',
  calls: [],
  outcome,
  contextTokens: 0,
  quantities: {},
  left: [],
});

// The money ran out only if the model wrote as many tokens as the run could pay for.
function endOf(
  answer: ChatAnswer,
  outputTokens: number,
  limits: Limits,
): 'final' | 'tools' | 'limit' | 'length' | 'filtered' {
  const { affordableTokens, outputTokensMax, isStopped } = limits;
  const isForMoney = affordableTokens < outputTokensMax && (isStopped || outputTokens >= affordableTokens);
  if (answer.finishReason() === 'content_filter') return 'filtered';
  const isCut = isStopped || answer.finishReason() === 'length';
  if (isCut && isForMoney) return 'limit';
  if (isCut && answer.calls().length === 0) return 'length';
  return answer.calls().length > 0 ? 'tools' : 'final';
}

/** The calls in an answer. If a limit cut the last one, it cannot be carried out. */
function callsOf(calls: CalledTool[], isCut: boolean): CalledTool[] {
  const last = calls.at(-1)!;
  if (!isCut || dataIn(last.arguments) !== undefined) return calls;
  return [...calls.slice(0, -1), { ...last, cutAfter: last.arguments.length }];
}
