import { worthNanosOf, type ThousandthsByMeter } from '../../db/runs/cost/runCost.ts';
import type { RunRow } from '../../db/runs/runRow.ts';
import { laterTestOf } from '../../calls/testMode.ts';
import type { Held } from '../../providers/provider.ts';

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

/** The hold of a run's step, and the number of tokens that the model may still write within it. */
export interface CoveredCall {
  held: Held;
  affordableTokens: number;
}

/**
 * Limits a model call to the run's hold: at most `tokensMax` tokens, and no more than the run can pay for. Undefined when the hold does not
 * cover the prompt and one token.
 */
export function coverCall(
  run: RunRow,
  { inputTokens, tokensMax }: { inputTokens: number; tokensMax: number },
): CoveredCall | undefined {
  const heldNanos = BigInt(run.held_nanos);
  const covers = (outputTokens: number) =>
    worthNanosOf(run, modelQuantities({ inputTokens, outputTokens })) <= heldNanos;
  if (!covers(1)) return undefined;
  let covered = covers(tokensMax) ? tokensMax : 1;
  let uncovered = tokensMax + 1;
  while (uncovered - covered > 1) {
    const middle = Math.floor((covered + uncovered) / 2);
    if (covers(middle)) covered = middle;
    else uncovered = middle;
  }
  const test = laterTestOf(run.workspace_id, run.metadata);
  const held = { test: test && { ...test, isRun: true }, noRetention: run.no_retention };
  return { held: held as unknown as Held, affordableTokens: covered };
}
