import { worthNanosOf, type ThousandthsByMeter } from '../../db/runs/cost/runCost.ts';
import type { RunRow } from '../../db/runs/runRow.ts';

/** The meters of a model call. */
export function modelQuantities({
  inputTokens,
  outputTokens,
}: {
  inputTokens: number;
  outputTokens: number;
}): ThousandthsByMeter {
  return { model_input_tokens: inputTokens * 1000, model_output_tokens: outputTokens * 1000 };
}

/**
 * How many tokens a model may still write, at most `tokensMax`, for the run to cost no more than what is held for it; negative when
 * not even the prompt is covered.
 */
export function affordableTokensOf(
  run: RunRow,
  { inputTokens, tokensMax }: { inputTokens: number; tokensMax: number },
): number {
  const heldNanos = BigInt(run.held_nanos);
  const covers = (outputTokens: number) =>
    worthNanosOf(run, modelQuantities({ inputTokens, outputTokens })) <= heldNanos;
  if (!covers(0)) return -1;
  let covered = 0;
  let uncovered = tokensMax + 1;
  while (uncovered - covered > 1) {
    const middle = Math.floor((covered + uncovered) / 2);
    if (covers(middle)) covered = middle;
    else uncovered = middle;
  }
  return covered;
}
