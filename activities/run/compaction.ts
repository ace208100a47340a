import { compactionRuleOf, type CompactionRule } from '../../db/agents/compaction.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import { cutTextIn } from '../../db/runs/cutText.ts';
import type { Conversation, RecordedStep } from '../../db/runs/steps/stepRecords.ts';
import type { Json } from '../../providers/provider.ts';
import { countPromptTokens } from '../../providers/metering/tokens.ts';
import { countOnce } from './callModel.ts';
import { resultsCharsMaxOf } from './modelRequest.ts';
import { messagesOfSteps } from './stepMessages.ts';
import { stepsMaxOf } from './typedOutput.ts';

/** A compaction that is due: how, and the last step that it replaces. */
export interface CompactionPlan extends Pick<CompactionRule, 'instructions'> {
  mode: CompactionRule['mode'];
  through: number;
}

// Shares of the threshold: what the next call has at most, if it can, and what is worth a call of the model.
const LEFT_SHARE = 0.6;
const REPLACED_SHARE_MIN = 0.2;
// A share of the context that a call must not pass: then less is worth it too.
const FULL_SHARE = 0.92;

/**
 * The compaction that a run needs before its next call of the model, or undefined. The last turns stay, as many as the rule says and
 * leave room; at least one. So does a text that the next answer continues.
 */
export async function planCompaction(
  conversation: Conversation,
  model: Model | undefined,
): Promise<CompactionPlan | undefined> {
  const { configuration, steps } = conversation;
  const rule = model && compactionRuleOf(configuration, model);
  if (!rule || steps.at(-1)?.kind === 'compaction' || cutTextIn(steps)) return undefined;
  const turns = turnsIn(steps);
  const resultsCharsMax = resultsCharsMaxOf(conversation, model);
  if (turns.length < 2) return undefined;
  const nextTokens = await tokensOfNext(turns, resultsCharsMax);
  if (nextTokens <= rule.thresholdTokens) return undefined;
  const sizes = await Promise.all(turns.map((turn) => tokensOf(turn, resultsCharsMax)));
  const kept = keptTurns(sizes, nextTokens, rule);
  const isFull = nextTokens > model.contextTokens * FULL_SHARE;
  if (!isFull && sumOf(sizes.slice(0, -kept)) < rule.thresholdTokens * REPLACED_SHARE_MIN) return undefined;
  // The last call has to answer, so it is no summary.
  const isLast = conversation.modelCalls + 2 > stepsMaxOf(configuration);
  const mode = isLast ? 'truncate' : rule.mode;
  return { mode, through: turns.at(-kept)![0]!.step - 1, instructions: rule.instructions };
}

/** An answer of the model and the results of its tools. */
type Turn = RecordedStep[];

function turnsIn(steps: RecordedStep[]): Turn[] {
  const turns: Turn[] = [];
  for (const step of steps) {
    if (step.kind === 'model') turns.push([step]);
    else if (step.kind !== 'compaction') turns.at(-1)?.push(step);
  }
  return turns;
}

function keptTurns(sizes: number[], nextTokens: number, { turnsKept, thresholdTokens }: CompactionRule): number {
  for (let kept = Math.min(turnsKept, sizes.length - 1); kept > 1; kept -= 1)
    if (nextTokens - sumOf(sizes.slice(0, -kept)) <= thresholdTokens * LEFT_SHARE) return kept;
  return 1;
}

const sumOf = (sizes: number[]): number => sizes.reduce((sum, size) => sum + size, 0);

const messagesOf = (turn: Turn, resultsCharsMax: number): Json[] =>
  messagesOfSteps(turn, { pictures: new Map(), resultsCharsMax });

const tokensOf = (turn: Turn, resultsCharsMax: number): Promise<number> =>
  countPromptTokens({ messages: messagesOf(turn, resultsCharsMax) }, undefined, countOnce);

/** The size of the next call: what the last one took, and the results after it; of a step from before this was stored, all turns. */
async function tokensOfNext(turns: Turn[], resultsCharsMax: number): Promise<number> {
  const last = turns.at(-1)!;
  const before = last[0]?.kind === 'model' ? last[0].result.contextTokens : undefined;
  if (before === undefined) return tokensOf(turns.flat(), resultsCharsMax);
  // The last call wrote the first of them.
  const messages = messagesOf(last, resultsCharsMax).slice(1);
  return before + (await countPromptTokens({ messages }, undefined, countOnce));
}
