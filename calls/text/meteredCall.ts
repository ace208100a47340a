import { tracing } from '../../base/tracing.ts';
import type { Hold } from '../../db/ledger/ledger.ts';
import { costNanosOf } from '../../db/money.ts';
import type { CallAbort } from '../../providers/callAbort.ts';
import { coveredPart } from '../../providers/metering/coveredPart.ts';
import { echoedNumbers, echoOf } from '../../providers/metering/echo.ts';
import { mediaIn } from '../../providers/metering/media.ts';
import { noteImplausibleUsage } from '../../providers/metering/implausibleUsage.ts';
import { producedTextOf } from '../../providers/metering/producedText.ts';
import {
  isTooLittle,
  readUsage,
  TOLERANCE,
  type UsageBounds,
  withinLimit,
} from '../../providers/metering/readUsage.ts';
import { createTokenMeter, type TokenMeter } from '../../providers/metering/tokenMeter.ts';
import type { Chunk } from '../../providers/plainChunk.ts';
import type { ChunkStream, Json, TakeChunks, TextProvider, Usage } from '../../providers/provider.ts';
import { countTokens } from '../../providers/metering/tokens.ts';
import {
  capTokensOf,
  countPrompt,
  coveredUsageOf,
  firstStepNanos,
  nextStepNanos,
  quantitiesOf,
  type TextCall,
} from './textCall.ts';

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
  /** The usage that the hold surely covers. */
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
    limitTokens: limitOf(call),
    ...(call.body.echo === true && { echoOf: (choice) => echoOf(call.body, choice) }),
    onImplausible: () => doubt(call, abort),
  });
  const { inputTokens } = meter.soFar();
  const spareNanos = nextStepNanos(call, hold.amountNanos, inputTokens) / 4n;
  const coveredUsage = coveredUsageOf(call, hold.amountNanos, inputTokens, spareNanos);
  return { call, hold, meter, abort, coveredUsage, hasWaited: false, isOutOfMoney: false };
}

/** Starts the call at its upstream, streamed. Resolves when the upstream has accepted it. */
export function openUpstream({ call, abort }: MeteredCall, provider: TextProvider): Promise<ChunkStream> {
  // Usage is always requested, because it is billed. The presenter sends it only to clients that requested it.
  const { continuous_usage_stats: _off, ...asked } = (call.body.stream_options ?? {}) as Json;
  const options = { ...asked, include_usage: true };
  return provider.stream(call.path, { ...call.body, stream: true, stream_options: options }, abort);
}

/** Who reads a stream. */
interface StreamReader {
  /** While the stream has no reader: what was produced since then counts only when it has one again. */
  pause?(): Promise<void> | undefined;
  /** Gets each network read that is paid for, and may delay the next one. */
  take(read: Chunk[]): Promise<void> | undefined;
}

/**
 * Reads an answer to its end, or cuts it (`abort`, reason `cut`) at the last token that its hold and its limit cover: nothing is taken
 * before its money is held. Throws what ended the call early.
 */
export async function readMetered(metered: MeteredCall, chunks: ChunkStream, reader: StreamReader): Promise<void> {
  const { call, hold, meter, abort } = metered;
  // Near the last cent an estimate could be too low.
  if (hold.amountNanos < firstStepNanos(call)) await meter.count();
  let isCut = false;

  /** Most reads are passed on without waiting for anything. */
  const take = (read: Chunk[]): Promise<void> | undefined => {
    if (abort.aborted) return undefined;
    const paused = reader.pause?.();
    if (paused) return paused.then(() => (abort.aborted ? undefined : pass(read)));
    return pass(read);
  };
  const pass = (read: Chunk[]): Promise<void> | undefined => {
    meter.observe(read);
    return isWithin(metered) ? reader.take(read) : passCovered(read);
  };
  const passCovered = async (read: Chunk[]): Promise<void> => {
    const covered = await coveredOf(metered, read);
    if (abort.aborted) return;
    if (covered.length > 0) await reader.take(covered);
    if (covered === read) return;
    isCut = true;
    abort.abort('cut');
  };

  try {
    await chunks.each(traced(take));
  } catch (error) {
    if (!isCut) throw error;
  }
  if (abort.aborted && !isCut) throw abort.reason;
}

/** The same, below the span of the call: chunks arrive outside of it. */
function traced(take: TakeChunks): TakeChunks {
  const span = tracing?.active();
  return span ? (read) => tracing!.within(span, () => take(read)) : take;
}

// Most reads need only this comparison: no price, no wait.
function isWithin({ meter, coveredUsage }: MeteredCall): boolean {
  const { inputTokens, outputTokens } = meter.dueAtMost();
  return inputTokens <= coveredUsage.inputTokens && outputTokens <= coveredUsage.outputTokens;
}

/** What of a read the hold covers, grown where it can, and the limit: the read itself where that is all of it. */
async function coveredOf(metered: MeteredCall, read: Chunk[]): Promise<Chunk[]> {
  const { call, hold, meter } = metered;
  if ((await covers(metered)) && !(await meter.isPastLimit())) return read;
  const wasPaid = isPaid(metered);
  const isCovered = () => isPaid(metered) && meter.atMost().outputTokens <= limitOf(call);
  const outputTokensMax = () => coveredUsageOf(call, hold.amountNanos, meter.soFar().inputTokens, 0n).outputTokens;
  const part = await coveredPart(meter, read, { isCovered, outputTokensMax });
  metered.isOutOfMoney = part !== read && !wasPaid;
  return part;
}

// The hold grows ahead of need: when less than a quarter of a step is left.
async function covers(metered: MeteredCall): Promise<boolean> {
  const { call, hold, meter } = metered;
  const soFar = meter.dueAtMost();
  const accruedNanos = priceOf(call, soFar);
  const stepNanos = nextStepNanos(call, hold.amountNanos, soFar.inputTokens);
  if (accruedNanos + stepNanos / 4n < hold.amountNanos) return true;
  const worstNanos = priceOf(call, { ...soFar, outputTokens: Math.max(limitOf(call), soFar.outputTokens) });
  const isShort = worstNanos > hold.amountNanos && !(await growTo(metered, accruedNanos, stepNanos));
  // A hold that could not grow in full is used up before it grows again, and one that covers the worst case needs no reserve.
  const isWhole = isShort || worstNanos <= hold.amountNanos;
  const spareNanos = isWhole ? 0n : nextStepNanos(call, hold.amountNanos, soFar.inputTokens) / 4n;
  metered.coveredUsage = coveredUsageOf(call, hold.amountNanos, meter.soFar().inputTokens, spareNanos);
  return isPaid(metered);
}

/** Grows the hold to what has accrued and a step; one read may bring more than a step. False: not in full. */
async function growTo(metered: MeteredCall, accruedNanos: bigint, stepNanos: bigint): Promise<boolean> {
  const { call, hold, meter } = metered;
  const missingNanos = (nanos: bigint) => (nanos > hold.amountNanos ? nanos - hold.amountNanos : 0n);
  const moreNanos = missingNanos(accruedNanos) + stepNanos;
  if ((await hold.grow(moreNanos)) === moreNanos) return true;
  // An estimate grows a hold; only a count ends a stream.
  await meter.count();
  if (isPaid(metered) || metered.hasWaited) return false;
  const addedNanos = await hold.grow(missingNanos(priceOf(call, meter.soFar())) + stepNanos, true);
  metered.hasWaited = addedNanos === 0n;
  return false;
}

const priceOf = ({ model }: TextCall, usage: Usage): bigint => costNanosOf(quantitiesOf(model, usage), model.rates);

const limitOf = (call: TextCall): number => capTokensOf(call) * call.choices;

const isPaid = ({ call, hold, meter }: MeteredCall): boolean => priceOf(call, meter.dueAtMost()) <= hold.amountNanos;

// No prompt has more tokens than bytes, and none that was estimated high has many times as many as that.
function usageBoundsOf({ bodyBytes, choices, model, estimatedPromptTokens }: TextCall): UsageBounds {
  const sizeTokens = Math.max(bodyBytes + TEMPLATE_TOKENS, model.contextTokens);
  const inputTokensMax = Math.min(sizeTokens, TOLERANCE * (estimatedPromptTokens + TEMPLATE_TOKENS));
  return { inputTokensMax, outputTokensMax: model.outputTokensMax * choices };
}

/** What a metered answer has consumed, and is billed for. */
export async function finalUsage({ call, meter, abort }: MeteredCall): Promise<Usage> {
  return withPrompt(call, await meter.final(), abort);
}

/** A model's whole reply, and what it consumed. */
export interface WholeReply {
  reply: Json;
  usage: Usage;
}

/** The usage of a whole reply: as the upstream reports it, or counted here where that is missing or implausible; no more than its limit. */
export async function usageOfReply(reply: Json, call: TextCall, abort: CallAbort): Promise<Usage> {
  return withinLimit(await consumedBy(reply, call, abort), limitOf(call));
}

async function consumedBy(reply: Json, call: TextCall, abort: CallAbort): Promise<Usage> {
  const texts = ((reply.choices ?? []) as Json[]).map((choice) => outputOf(choice, call));
  const reported = reportedUsage(reply, call);
  const echoed = echoedNumbers(call.body);
  if (reported && !(await isTooLittle(reported.outputTokens + echoed, texts))) return withPrompt(call, reported, abort);
  if (reply.usage) doubt(call, abort);
  const counted = await countUsage(call, texts);
  return { ...counted, outputTokens: Math.max(0, counted.outputTokens - echoed) };
}

function outputOf(choice: Json, { body }: TextCall): string {
  const text = producedTextOf(choice);
  const echo = echoOf(body, choice.index);
  return text.startsWith(echo) ? text.slice(echo.length) : text;
}

function reportedUsage({ usage }: Json, call: TextCall): Usage | undefined {
  if (!usage) return undefined;
  const bounds = usageBoundsOf(call);
  if (call.path !== 'embeddings') return readUsage(usage, bounds);
  // Vectors are not output. A reply without token counts is not free: its tokens are counted here.
  const { prompt_tokens } = usage as Json;
  return readUsage({ prompt_tokens, completion_tokens: 0 }, { ...bounds, outputTokensMax: 0 });
}

/** A usage whose prompt is counted here where the upstream reports far less than was sent. */
async function withPrompt(call: TextCall, usage: Usage, abort: CallAbort): Promise<Usage> {
  const { estimatedPromptTokens: most } = call;
  if (usage.inputTokens > 0 && most <= TOLERANCE * usage.inputTokens + TEMPLATE_TOKENS) return usage;
  // What an image counts differs more between models.
  if (mediaIn(call.body).tokens > 0) return usage;
  const counted = await countPrompt(call);
  // An upstream may read no more of a prompt than its context.
  const { contextTokens } = call.model;
  const inputs = Array.isArray(call.body.input) ? call.body.input.length : 1;
  if (Math.min(counted, contextTokens * inputs || Infinity) <= TOLERANCE * usage.inputTokens) return usage;
  doubt(call, abort);
  return { inputTokens: counted, outputTokens: usage.outputTokens };
}

/** An upstream that counts wrongly is not to be believed: operators and its health get to know. */
function doubt({ model }: TextCall, abort: CallAbort): void {
  noteImplausibleUsage(model.id);
  abort.doubted();
}

/** Counts what an upstream did not report: the prompt as sent, and the produced texts. */
export async function countUsage(call: TextCall, producedTexts: string[]): Promise<Usage> {
  const [inputTokens, ...counts] = await Promise.all([countPrompt(call), ...producedTexts.map(countTokens)]);
  return { inputTokens, outputTokens: counts.reduce((sum, tokens) => sum + tokens, 0) };
}
