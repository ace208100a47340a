import type { Json, Usage } from '../provider.ts';
import { countTokens } from './tokens.ts';
import { finishReasonIn, producedTextOf } from './producedText.ts';
import { readUsage, type UsageBounds } from './readUsage.ts';

// Most upstreams send one token per chunk; a longer piece counts by its length until a better count exists.
const TOKEN_CHARS = 24;
const CHARS_PER_TOKEN = 4;

export type TokenMeter = ReturnType<typeof createTokenMeter>;

/** The inputs of a stream's metering. */
export interface MeteredRequest {
  /** A high estimate. */
  estimatedPromptTokens: number;
  countPrompt: () => Promise<number>;
  /** A usage beyond them is implausible. */
  bounds: UsageBounds;
  /** The requested output limit. */
  limitTokens: number;
}

/**
 * Meters the output of a stream: by the usage in its chunks where the upstream reports it, by counting otherwise. Some upstreams report
 * usage with the prompt and again at the end: output after the last report is counted on top of it.
 */
export function createTokenMeter({ estimatedPromptTokens, countPrompt, bounds, limitTokens }: MeteredRequest) {
  let reported: Usage | undefined;
  // Since the upstream last reported usage.
  let estimatedTokens = 0;
  const texts = new Map<unknown, string>();
  let promptTokens: number | undefined;
  let countingPrompt: Promise<number> | undefined;
  let finishReason: string | null = null;

  function observe(chunks: Json[]): void {
    for (const chunk of chunks) {
      const choices = (chunk.choices ?? []) as Json[];
      for (const choice of choices) addText(choice.index, producedTextOf(choice));
      finishReason = finishReasonIn(choices) ?? finishReason;
      if (chunk.usage) recordUsage(readUsage(chunk.usage, bounds));
    }
  }

  // It includes its own chunk.
  function recordUsage(usage: Usage | undefined): void {
    if (!usage) return;
    reported = usage;
    estimatedTokens = 0;
    texts.clear();
  }

  // Choices are interleaved: each is counted by itself.
  function addText(choice: unknown, produced: string): void {
    if (produced === '') return;
    texts.set(choice, (texts.get(choice) ?? '') + produced);
    estimatedTokens += produced.length <= TOKEN_CHARS ? 1 : Math.ceil(produced.length / CHARS_PER_TOKEN);
  }

  /** The output so far, at once: reported, or estimated. For holds. */
  function soFar(): Usage {
    return soFarAfter(promptTokens ?? estimatedPromptTokens);
  }

  /**
   * The bill if this process dies now: never more than was consumed, so an unknown prompt is left out until `countCertain` has counted it,
   * and a stream without output is not billed.
   */
  function certain(): Usage {
    if (soFar().outputTokens === 0) return { inputTokens: 0, outputTokens: 0 };
    return soFarAfter(promptTokens ?? 0);
  }

  function soFarAfter(inputTokens: number): Usage {
    if (!reported) return { inputTokens, outputTokens: estimatedTokens };
    return estimatedTokens === 0 ? reported : { ...reported, outputTokens: reported.outputTokens + estimatedTokens };
  }

  /** Counts the prompt, once, if the certain bill needs it. */
  async function countCertain(): Promise<void> {
    if (!reported && estimatedTokens > 0) await countPromptOnce();
  }

  const countPromptOnce = async () => (promptTokens = await (countingPrompt ??= countPrompt()));

  /** The total usage: reported, or counted from the prompt and the text. */
  async function final(): Promise<Usage> {
    if (reported && texts.size === 0) return reported;
    const [inputTokens, outputTokens] = await Promise.all([reported?.inputTokens ?? countPromptOnce(), countOutput()]);
    return { ...reported, inputTokens, outputTokens: Math.min(outputTokens, limitTokens) };
  }

  /** Whether the output exceeds its limit, because the upstream does not stop by itself. The count replaces its estimate. */
  async function isPastLimit(): Promise<boolean> {
    if (soFar().outputTokens <= limitTokens) return false;
    const before = soFar().outputTokens;
    const counted = await countOutput();
    estimatedTokens += counted - before;
    return counted > limitTokens;
  }

  async function countOutput(): Promise<number> {
    const counts = await Promise.all([...texts.values()].map(countTokens));
    return counts.reduce((sum, tokens) => sum + tokens, reported?.outputTokens ?? 0);
  }

  return { observe, soFar, certain, countCertain, final, isPastLimit, finishReason: () => finishReason };
}
