import { grownText } from '../../base/grownText.ts';
import { PlainChunk, type Chunk } from '../plainChunk.ts';
import type { Json, Usage } from '../provider.ts';
import { echoedIn } from './echo.ts';
import { countTokens, loadCounter } from './tokens.ts';
import { finishReasonIn, producedTextOf } from './producedText.ts';
import { isTooLittle, mayBeTooLittle, readUsage, type UsageBounds, withinLimit } from './readUsage.ts';

// Most upstreams send one token per chunk; a longer piece counts by its length until a better count exists.
const TOKEN_CHARS = 24;
const CHARS_PER_TOKEN = 4;
// A short ASCII piece is a word or part of a word.
const WORD_CHARS = 8;
// A non-ASCII character is often several tokens.
const BYTES_PER_TOKEN = 2;

export type TokenMeter = ReturnType<typeof createTokenMeter>;

/** The inputs of a stream's metering. */
export interface MeteredRequest {
  /** A high estimate. */
  estimatedPromptTokens: number;
  countPrompt: () => Promise<number>;
  /** Usage beyond these bounds is implausible. */
  bounds: UsageBounds;
  /** The requested output limit. */
  limitTokens: number;
  /** The prompt that a choice repeats before its output, which is no output. */
  echoOf?: (choice: unknown) => string;
  /** Called when the upstream's last report is implausible and its tokens are counted here instead. */
  onImplausible?: () => void;
}

/** The observations of a stream. Tokens are those since the last usage report: a lower and an upper bound. */
interface Observed {
  reported: Usage | undefined;
  estimatedTokens: number;
  tokensAtMost: number;
  finishReason: string | null;
  /** Each choice's text. Lists and texts are replaced, not changed: the observations of before refer to them too. */
  texts: readonly ChoiceText[];
  /** What is left of each choice's echo. */
  echoes: ReadonlyMap<unknown, string>;
  bytes: number;
  /** The last report was unreadable or beyond the bounds. */
  isImplausible: boolean;
  /** A report so low that the text has to be counted, and the size of the text by then. */
  doubted: { usage: Usage; bytes: number } | undefined;
}

const NOTHING: Observed = {
  reported: undefined,
  estimatedTokens: 0,
  tokensAtMost: 0,
  finishReason: null,
  texts: [],
  echoes: new Map(),
  bytes: 0,
  isImplausible: false,
  doubted: undefined,
};

interface ChoiceText {
  readonly choice: unknown;
  readonly text: string;
  /** How much of it the last report covers. */
  readonly reported: number;
}

/**
 * Meters the output of a stream: by the usage in its chunks where the upstream reports it, by counting otherwise. Some upstreams report
 * usage with the prompt and again at the end: output after the last report is counted on top of it.
 */
export function createTokenMeter(request: MeteredRequest) {
  const { estimatedPromptTokens, countPrompt, bounds, limitTokens, echoOf, onImplausible } = request;
  let now = { ...NOTHING };
  let before = now;
  let promptTokens: number | undefined;
  let countingPrompt: Promise<number> | undefined;
  let mostTokensOf = estimateMost;
  let isNoted = false;

  function observe(chunks: readonly Chunk[]): void {
    before = now;
    now = { ...now };
    for (const chunk of chunks) {
      if (chunk instanceof PlainChunk) {
        addText(chunk.shape.choice, chunk.produced());
        continue;
      }
      const choices = (chunk.choices ?? []) as Json[];
      for (const choice of choices) addText(choice.index, producedTextOf(choice));
      now.finishReason = finishReasonIn(choices) ?? now.finishReason;
      if (chunk.usage) recordUsage(readUsage(chunk.usage, bounds));
    }
  }

  /** Drops the last observed chunks, because they are not delivered. */
  function takeBack(): void {
    now = before;
  }

  // It covers its own chunk.
  function recordUsage(usage: Usage | undefined): void {
    now.isImplausible = usage === undefined;
    const isDoubted = usage !== undefined && mayBeTooLittle(usage.outputTokens, now.bytes);
    now.doubted = isDoubted ? { usage, bytes: now.bytes } : undefined;
    if (!usage || isDoubted) return;
    now.reported = usage;
    now.estimatedTokens = 0;
    now.tokensAtMost = 0;
    now.texts = now.texts.map(({ choice, text }) => ({ choice, text, reported: text.length }));
  }

  // Choices are interleaved: each is counted separately.
  function addText(choice: unknown, piece: string): void {
    const produced = echoOf ? pastEcho(choice, piece, echoOf) : piece;
    if (produced === '') return;
    const bytes = Buffer.byteLength(produced);
    now.texts = withText(now.texts, choice, produced);
    now.bytes += bytes;
    now.estimatedTokens += produced.length <= TOKEN_CHARS ? 1 : Math.ceil(produced.length / CHARS_PER_TOKEN);
    now.tokensAtMost += mostTokensOf(produced, bytes);
  }

  /** The rest of a piece behind its choice's echo. */
  function pastEcho(choice: unknown, piece: string, echoesOf: (choice: unknown) => string): string {
    const echo = now.echoes.get(choice) ?? echoesOf(choice);
    if (echo === '' || piece === '') return piece;
    const echoed = echoedIn(piece, echo);
    now.echoes = new Map(now.echoes).set(choice, echoed === undefined ? '' : echo.slice(echoed));
    return piece.slice(echoed ?? 0);
  }

  /** The output so far, without waiting: reported, or estimated. */
  const soFar = (): Usage => plus(promptTokens ?? estimatedPromptTokens, now.estimatedTokens);

  /** The same, overestimated. */
  const atMost = (): Usage => plus(promptTokens ?? estimatedPromptTokens, now.tokensAtMost);

  /** The most that can be due, for holds: an answer never costs more than its limit, because it is cut there. */
  function dueAtMost(): Usage {
    const left = Math.max(now.estimatedTokens, limitTokens - (now.reported?.outputTokens ?? 0));
    return plus(promptTokens ?? estimatedPromptTokens, Math.min(now.tokensAtMost, left));
  }

  /**
   * The bill if this process dies now: never more than was consumed, so an unknown prompt is left out until `countCertain` has counted it,
   * and a stream without output is not billed.
   */
  function certain(): Usage {
    if (soFar().outputTokens === 0) return { inputTokens: 0, outputTokens: 0 };
    return withinLimit(plus(promptTokens ?? 0, now.estimatedTokens), limitTokens);
  }

  function plus(inputTokens: number, tokens: number): Usage {
    const { reported } = now;
    if (!reported) return { inputTokens, outputTokens: tokens };
    return tokens === 0 ? reported : { ...reported, outputTokens: reported.outputTokens + tokens };
  }

  /** Counts the prompt, once, if the certain bill needs it. */
  async function countCertain(): Promise<void> {
    if (!now.reported && now.estimatedTokens > 0) await countPromptOnce();
  }

  const countPromptOnce = async () => (promptTokens = await (countingPrompt ??= countPrompt()));

  /** Counts everything so far to replace the estimates; from now on each chunk is counted as it arrives. */
  async function count(): Promise<void> {
    if (!now.reported) await countPromptOnce();
    mostTokensOf = await loadCounter();
    const tokens = (await countOutput()) - (now.reported?.outputTokens ?? 0);
    now.estimatedTokens = tokens;
    now.tokensAtMost = tokens;
  }

  /** The total usage: reported, or counted from the prompt and the text when no report is plausible; no more than the limit. */
  const final = async (): Promise<Usage> => withinLimit(await consumed(), limitTokens);

  async function consumed(): Promise<Usage> {
    const { reported, doubted, isImplausible } = now;
    if (doubted?.bytes === now.bytes && !(await isTooLittle(doubted.usage.outputTokens, texts()))) return doubted.usage;
    if (doubted || isImplausible) noteImplausible();
    if (reported && texts('since').length === 0) return reported;
    const [inputTokens, outputTokens] = await Promise.all([reported?.inputTokens ?? countPromptOnce(), countOutput()]);
    return { ...reported, inputTokens, outputTokens };
  }

  function noteImplausible(): void {
    if (!isNoted) onImplausible?.();
    isNoted = true;
  }

  /** Whether the output exceeds its limit, because the upstream does not stop by itself. The count replaces its estimate. */
  async function isPastLimit(): Promise<boolean> {
    const { outputTokens } = mostTokensOf === estimateMost ? soFar() : atMost();
    if (outputTokens <= limitTokens) return false;
    await count();
    return soFar().outputTokens > limitTokens;
  }

  /** The texts so far, or those after the last report. */
  function texts(part: 'all' | 'since' = 'all'): string[] {
    const parts = now.texts.map(({ text, reported }) => (part === 'all' ? text : text.slice(reported)));
    return parts.filter((text) => text !== '');
  }

  async function countOutput(): Promise<number> {
    const counts = await Promise.all(texts('since').map(countTokens));
    return counts.reduce((sum, tokens) => sum + tokens, now.reported?.outputTokens ?? 0);
  }

  return {
    observe,
    takeBack,
    soFar,
    atMost,
    dueAtMost,
    certain,
    countCertain,
    count,
    final,
    isPastLimit,
    finishReason: () => now.finishReason,
  };
}

function withText(texts: readonly ChoiceText[], choice: unknown, produced: string): readonly ChoiceText[] {
  const at = texts.findIndex((one) => one.choice === choice);
  if (at === -1) return [...texts, { choice, text: produced, reported: 0 }];
  const { text, reported } = texts[at]!;
  const added = { choice, text: grownText(text, produced), reported };
  return texts.length === 1 ? [added] : texts.with(at, added);
}

/** A high estimate of a piece's tokens, at least 1. */
function estimateMost(piece: string, bytes: number): number {
  if (bytes !== piece.length) return Math.ceil(bytes / BYTES_PER_TOKEN);
  return bytes <= WORD_CHARS ? 1 : Math.ceil(bytes / CHARS_PER_TOKEN);
}
