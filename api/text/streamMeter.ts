import { producedTextOf } from '../../providers/metering/producedText.ts';
import type { Json, Usage } from '../../providers/provider.ts';
import { countPromptTokens, countTokens } from '../../providers/tokens.ts';
import { capTokensOf, type TextCall } from './textCall.ts';
import { usageOf } from './usage.ts';

// Most upstreams send one token per chunk; a longer piece counts by its length until there is a better count.
const TOKEN_CHARS = 24;
const CHARS_PER_TOKEN = 4;

export type StreamMeter = ReturnType<typeof createStreamMeter>;

/**
 * Meters the output of a stream: by the usage in its chunks where the upstream reports it, by counting otherwise. Some upstreams report
 * usage with the prompt and again at the end: output after the last report is counted on top of it.
 */
export function createStreamMeter(call: TextCall) {
  let told: Usage | undefined;
  // Since the upstream last reported usage.
  let estimatedTokens = 0;
  const texts = new Map<unknown, string>();
  let promptTokens: number | undefined;
  let countingPrompt: Promise<number> | undefined;
  const limitTokens = capTokensOf(call) * call.choices;

  function observe(chunks: Json[]): void {
    for (const chunk of chunks) {
      for (const choice of (chunk.choices ?? []) as Json[]) addText(choice.index, producedTextOf(choice));
      if (chunk.usage) recordUsage(usageOf(chunk, call));
    }
  }

  // It includes its own chunk.
  function recordUsage(usage: Usage | undefined): void {
    if (!usage) return;
    told = usage;
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
    return soFarAfter(promptTokens ?? call.estimatedPromptTokens);
  }

  /**
   * What to bill if this process dies now: never more than was consumed, so an unknown prompt is left out until `countCertain` has
   * counted it, and a stream without output is not billed.
   */
  function certain(): Usage {
    if (soFar().outputTokens === 0) return { inputTokens: 0, outputTokens: 0 };
    return soFarAfter(promptTokens ?? 0);
  }

  function soFarAfter(inputTokens: number): Usage {
    if (!told) return { inputTokens, outputTokens: estimatedTokens };
    return estimatedTokens === 0 ? told : { ...told, outputTokens: told.outputTokens + estimatedTokens };
  }

  /** Counts the prompt, once, if the certain bill needs it. */
  async function countCertain(): Promise<void> {
    if (!told && estimatedTokens > 0) await countPrompt();
  }

  const countPrompt = async () =>
    (promptTokens = await (countingPrompt ??= countPromptTokens(call.body, call.model.mediaTokens)));

  /** The total usage: reported, or counted from the prompt and the text. */
  async function final(): Promise<Usage> {
    if (told && texts.size === 0) return told;
    const [inputTokens, outputTokens] = await Promise.all([told?.inputTokens ?? countPrompt(), countOutput()]);
    return { ...told, inputTokens, outputTokens: Math.min(outputTokens, limitTokens) };
  }

  /** Whether the output exceeds the caller's or the model's limit, because the upstream does not stop by itself. */
  async function isPastLimit(): Promise<boolean> {
    return soFar().outputTokens > limitTokens && (await countOutput()) > limitTokens;
  }

  async function countOutput(): Promise<number> {
    const counts = await Promise.all([...texts.values()].map(countTokens));
    return counts.reduce((sum, tokens) => sum + tokens, told?.outputTokens ?? 0);
  }

  return { observe, soFar, certain, countCertain, final, isPastLimit };
}
