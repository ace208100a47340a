import { z } from 'zod';
import { MODEL_STEPS } from '../../base/limits.ts';
import type { Model } from '../catalog/catalog.ts';
import type { Compaction, ModelSettings } from '../entities/agentJson.ts';

const THRESHOLD_MIN = 1_000;
const THRESHOLD_MAX = 10_000_000;
const KEPT_TURNS = 3;
const KEPT_TURNS_MAX = 100;

/** The setting, as drafts and versions check it. The names are those of OpenAI’s Responses and of LangChain’s middleware. */
export const compaction = z
  .strictObject({
    mode: z
      .enum(['summarize', 'truncate', 'off'])
      .describe(
        '`summarize`: a step of its own lets the model summarize what is replaced; it is billed as any call of the model and counts as ' +
          'one. `truncate`: it is left out, at no cost. `off`: a run whose conversation is longer than the context fails.',
      ),
    compact_threshold: z
      .int()
      .min(THRESHOLD_MIN)
      .max(THRESHOLD_MAX)
      .nullish()
      .describe(
        'Tokens of a call of the model above which earlier turns are replaced; four fifths of its context when null.',
      ),
    keep_turns: z
      .int()
      .min(1)
      .max(KEPT_TURNS_MAX)
      .nullish()
      .describe(`The last turns that stay as they are, if they fit; ${KEPT_TURNS} when null.`),
    instructions: z.string().trim().max(4_000).nullish().describe('What a summary has to keep.'),
  })
  .nullish()
  .describe(
    'What becomes of earlier turns when a run’s conversation nears the model’s context. The instructions, the caller’s input and the ' +
      `last turns stay. When null: \`summarize\` for a version with \`max_steps\` above ${MODEL_STEPS}, otherwise \`off\`.`,
  ) satisfies z.ZodType<Compaction | null | undefined>;

/** When and how a run's conversation is compacted. */
export interface CompactionRule {
  mode: 'summarize' | 'truncate';
  thresholdTokens: number;
  turnsKept: number;
  instructions: string | null;
}

/** The rule of a version that runs on this model; undefined: its conversations stay whole. */
export function compactionRuleOf(
  { compaction: setting, max_steps: stepsMax }: Pick<ModelSettings, 'compaction' | 'max_steps'>,
  { contextTokens, outputTokensMax }: Pick<Model, 'contextTokens' | 'outputTokensMax'>,
): CompactionRule | undefined {
  const mode = setting?.mode ?? (stepsMax && stepsMax > MODEL_STEPS ? 'summarize' : 'off');
  if (mode === 'off') return undefined;
  const { compact_threshold: wanted, keep_turns: turns, instructions } = setting ?? {};
  // An answer needs room, but at most half of the context.
  const ownTokens = Math.max(contextTokens / 2, Math.min(contextTokens * 0.8, contextTokens - outputTokensMax));
  const thresholdTokens = Math.min(wanted ?? Infinity, contextTokens > 0 ? Math.floor(ownTokens) : Infinity);
  return { mode, thresholdTokens, turnsKept: turns ?? KEPT_TURNS, instructions: instructions || null };
}
