import type { Hold } from '../../../db/ledger.ts';
import { costNanosOf } from '../../../db/money.ts';
import type { CallAbort } from '../../../providers/callAbort.ts';
import { producedTextOf } from '../../../providers/metering/producedText.ts';
import { readUsage, type UsageBounds } from '../../../providers/metering/readUsage.ts';
import { createTokenMeter, type TokenMeter } from '../../../providers/metering/tokenMeter.ts';
import type { Json, TextProvider, Usage } from '../../../providers/provider.ts';
import { countPromptTokens, countTokens } from '../../../providers/metering/tokens.ts';
import { capTokensOf, coveredUsageOf, nextStepNanos, quantitiesOf, type TextCall } from './textCall.ts';

// What a chat template may add to a prompt beyond the bytes that the caller sent.
const TEMPLATE_TOKENS = 1_000;

/** What a call may cost so far, and how to raise that. */
export type GrowingHold = Pick<Hold, 'amountNanos' | 'grow'>;

/** A call whose output is metered as it arrives: its hold grows with the output. */
export interface MeteredCall {
  readonly call: TextCall;
  readonly hold: GrowingHold;
  readonly meter: TokenMeter;
  /** Aborted when the client disconnects, when its key ends, or to cut the answer: its hold cannot grow, or the model does not stop. */
  readonly abort: CallAbort;
  /** The usage that the hold covered at the last check. */
  coveredUsage: Usage;
  /** Whether the call has waited for money that other calls hold: it waits only once. */
  hasWaited: boolean;
  /** Whether the answer was cut because its hold ended, not because of its length limit. */
  isOutOfMoney: boolean;
}

/** Starts metering a call under its hold. */
export function meterCall(call: TextCall, hold: GrowingHold, abort: CallAbort): MeteredCall {
  const meter = createTokenMeter({
    estimatedPromptTokens: call.estimatedPromptTokens,
    countPrompt: () => countPrompt(call),
    bounds: usageBoundsOf(call),
    limitTokens: capTokensOf(call) * call.choices,
  });
  const { inputTokens } = meter.soFar();
  const spareNanos = nextStepNanos(call, hold.amountNanos, inputTokens) / 4n;
  const coveredUsage = coveredUsageOf(call, hold.amountNanos, inputTokens, spareNanos);
  return { call, hold, meter, abort, coveredUsage, hasWaited: false, isOutOfMoney: false };
}

/** Starts the call at its upstream, streamed. Resolves when the upstream has accepted it. */
export function openUpstream({ call, abort }: MeteredCall, provider: TextProvider): Promise<AsyncIterable<Json[]>> {
  // Usage is always requested, because it is billed. The presenter sends it only to clients that requested it.
  const options = { ...(call.body.stream_options as Json | undefined), include_usage: true };
  return provider.stream(call.path, { ...call.body, stream: true, stream_options: options }, abort);
}

/** Who reads a stream. */
interface StreamReader {
  /** While the stream has no reader: what was produced since then counts only when it has one again. */
  pause?(): Promise<void> | undefined;
  /** Gets each network read, and may delay the next one. */
  take(read: Json[]): Promise<void> | undefined;
}

/**
 * Reads an answer to its end, or cuts it (`abort`, reason `cut`) where its hold or its limit ends. Throws what ended the call early.
 */
export async function readMetered(
  metered: MeteredCall,
  chunks: AsyncIterable<Json[]>,
  reader: StreamReader,
): Promise<void> {
  const { meter, abort } = metered;
  for await (const read of chunks) {
    const paused = reader.pause?.();
    if (paused) await paused;
    if (abort.aborted) break;
    meter.observe(read);
    const full = reader.take(read);
    if (full) await full;
    if (isWithin(metered) || ((await covers(metered)) && !(await meter.isPastLimit()))) continue;
    abort.abort('cut');
    return;
  }
  if (abort.aborted) throw abort.reason;
}

// Most reads need only this comparison: no price, no wait.
function isWithin({ meter, coveredUsage }: MeteredCall): boolean {
  const { inputTokens, outputTokens } = meter.soFar();
  return inputTokens <= coveredUsage.inputTokens && outputTokens < coveredUsage.outputTokens;
}

// The hold grows ahead of need: when less than a quarter of a step is left.
async function covers(metered: MeteredCall): Promise<boolean> {
  const { call, hold, meter } = metered;
  const priceOf = (usage: Usage) => costNanosOf(quantitiesOf(call.model, usage), call.model.rates);
  const soFar = meter.soFar();
  const accruedNanos = priceOf(soFar);
  const stepNanos = nextStepNanos(call, hold.amountNanos, soFar.inputTokens);
  if (accruedNanos + stepNanos / 4n < hold.amountNanos) return true;
  const isAtEnd = accruedNanos >= hold.amountNanos;
  // One read may bring more than a step.
  const moreNanos = isAtEnd ? accruedNanos - hold.amountNanos + stepNanos : stepNanos;
  const addedNanos = await hold.grow(moreNanos, isAtEnd && !metered.hasWaited);
  metered.hasWaited ||= isAtEnd && addedNanos === 0n;
  // A hold that could not grow in full is used up before it grows again.
  const spareNanos = addedNanos < moreNanos ? 0n : nextStepNanos(call, hold.amountNanos, soFar.inputTokens) / 4n;
  metered.coveredUsage = coveredUsageOf(call, hold.amountNanos, soFar.inputTokens, spareNanos);
  // An estimate grows a hold; only a count ends a stream.
  if (accruedNanos < hold.amountNanos || priceOf(await meter.final()) < hold.amountNanos) return true;
  metered.isOutOfMoney = true;
  return false;
}

const countPrompt = ({ body, model }: TextCall): Promise<number> => countPromptTokens(body, model.mediaTokens);

function usageBoundsOf({ bodyBytes, choices, model }: TextCall): UsageBounds {
  const inputTokensMax = Math.max(bodyBytes + TEMPLATE_TOKENS, model.contextTokens);
  return { inputTokensMax, outputTokensMax: model.outputTokensMax * choices };
}

/** A model's whole reply, and what it consumed. */
export interface WholeReply {
  reply: Json;
  usage: Usage;
}

/** The texts that a reply is made of. */
export const textsOf = (reply: Json) => ((reply.choices ?? []) as Json[]).map(producedTextOf);

/** The usage that the upstream reported for a whole reply, or undefined when it is missing or implausible. */
export function reportedUsage({ usage }: Json, call: TextCall): Usage | undefined {
  if (!usage) return undefined;
  const bounds = usageBoundsOf(call);
  if (call.path !== 'embeddings') return readUsage(usage, bounds);
  // Vectors are not output. A reply without token counts is not free: its tokens are counted here.
  const { prompt_tokens } = usage as Json;
  return readUsage({ prompt_tokens, completion_tokens: 0 }, { ...bounds, outputTokensMax: 0 });
}

/** Counts what an upstream did not report: the prompt as sent, and the produced texts. */
export async function countUsage(call: TextCall, producedTexts: string[]): Promise<Usage> {
  const [inputTokens, ...counts] = await Promise.all([countPrompt(call), ...producedTexts.map(countTokens)]);
  return { inputTokens, outputTokens: counts.reduce((sum, tokens) => sum + tokens, 0) };
}
