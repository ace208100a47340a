import { producedTextOf } from '../../providers/metering/producedText.ts';
import type { Json, Usage } from '../../providers/provider.ts';
import { countPromptTokens, countTokens } from '../../providers/tokens.ts';
import { capTokensOf, type TextCall } from './textCall.ts';
import { usageOf } from './usage.ts';

// Most upstreams send a token a chunk; a longer piece counts by its length, as long as nobody has told or counted better.
const TOKEN_CHARS = 24;
const CHARS_PER_TOKEN = 4;

export type StreamMeter = ReturnType<typeof createStreamMeter>;

/**
 * Follows what a stream produces: from the usage in its chunks where the upstream tells it, by counting where not. Some tell it once, with
 * the prompt, and again at the end: what comes after the last telling is counted on top of it.
 */
export function createStreamMeter(call: TextCall) {
  let told: Usage | undefined;
  // Since the upstream told its usage.
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

  // It includes what its own chunk says.
  function recordUsage(usage: Usage | undefined): void {
    if (!usage) return;
    told = usage;
    estimatedTokens = 0;
    texts.clear();
  }

  // Choices arrive interleaved: each is counted by itself, as it was produced.
  function addText(choice: unknown, produced: string): void {
    if (produced === '') return;
    texts.set(choice, (texts.get(choice) ?? '') + produced);
    estimatedTokens += produced.length <= TOKEN_CHARS ? 1 : Math.ceil(produced.length / CHARS_PER_TOKEN);
  }

  /** What has been produced so far, at once: told, or estimated. For holds. */
  function soFar(): Usage {
    return soFarAfter(promptTokens ?? call.estimatedPromptTokens);
  }

  /**
   * What to bill if this process dies now: never more than was consumed, so an unknown prompt is left out until `countCertain` has
   * counted it, and nothing is billed of a stream that has produced nothing.
   */
  function certain(): Usage {
    if (soFar().outputTokens === 0) return { inputTokens: 0, outputTokens: 0 };
    return soFarAfter(promptTokens ?? 0);
  }

  function soFarAfter(inputTokens: number): Usage {
    if (!told) return { inputTokens, outputTokens: estimatedTokens };
    return estimatedTokens === 0 ? told : { ...told, outputTokens: told.outputTokens + estimatedTokens };
  }

  /** Counts the prompt, once, if it is needed for what is certain. */
  async function countCertain(): Promise<void> {
    if (!told && estimatedTokens > 0) await countPrompt();
  }

  const countPrompt = async () =>
    (promptTokens = await (countingPrompt ??= countPromptTokens(call.body, call.model.mediaTokens)));

  /** What was consumed in all: told, or counted from the prompt and the text. */
  async function final(): Promise<Usage> {
    if (told && texts.size === 0) return told;
    const [inputTokens, outputTokens] = await Promise.all([told?.inputTokens ?? countPrompt(), countOutput()]);
    return { ...told, inputTokens, outputTokens: Math.min(outputTokens, limitTokens) };
  }

  /** Whether more was produced than the caller's limit, or the model's, allows: the upstream does not end by itself. */
  async function isPastLimit(): Promise<boolean> {
    return soFar().outputTokens > limitTokens && (await countOutput()) > limitTokens;
  }

  async function countOutput(): Promise<number> {
    const counts = await Promise.all([...texts.values()].map(countTokens));
    return counts.reduce((sum, tokens) => sum + tokens, told?.outputTokens ?? 0);
  }

  return { observe, soFar, certain, countCertain, final, isPastLimit };
}
