import { Context } from '@temporalio/activity';
import { storableBeginning } from '../../base/json.ts';
import { judgementBodyOf, type Judged } from '../../calls/text/judgement.ts';
import { dataIn } from '../../db/agents/modelSettings.ts';
import { findLineOutput } from '../../db/batches/batchResults.ts';
import type { CheckResult, EvaluationCheck } from '../../db/entities/evaluation.ts';
import type { Key } from '../../db/keys/keys.ts';
import { nanosOfUsd } from '../../db/money.ts';
import { errorOf, resultOf } from './checks.ts';
import type { EvaluationDependencies } from './evaluationDependencies.ts';

const ATTEMPTS_MAX = 5;
const REASON_CHARACTERS_MAX = 1_000;

/** One judgement: the check of a case, what it judges, who pays, and what it may cost. */
interface Order {
  evaluationRunId: string;
  /** Of all judgements of the evaluation: a repeated one is the same call. */
  line: number;
  key: Key;
  check: Extract<EvaluationCheck, { type: 'score_model' }>;
  judged: Omit<Judged, 'rubric'>;
  leftNanos: bigint;
}

/** A judgement, with its charge in nano-USD. */
interface Verdict {
  result: CheckResult;
  costNanos: bigint;
}

/**
 * Lets a model score an output by a rubric: a paid call of the key at the model's price. Its answer is stored by the statement that bills it,
 * so a repetition after a crash finds it, and nothing is billed twice.
 */
export function createJudge({ db: { everywhere }, models, judges }: EvaluationDependencies) {
  return async (order: Order): Promise<Verdict> => {
    const { evaluationRunId, line } = order;
    const earlier = await findLineOutput(everywhere, evaluationRunId, line);
    if (earlier !== undefined) return verdictOf(earlier, order);
    const refusal = await ask(order);
    const output = await findLineOutput(everywhere, evaluationRunId, line);
    if (output !== undefined) return verdictOf(output, order);
    return { result: errorOf('score_model', refusal ?? 'the model gave no answer'), costNanos: 0n };
  };

  /** Returns why there is no answer. */
  async function ask({ evaluationRunId, line, key, check, judged, leftNanos }: Order): Promise<string | undefined> {
    const model = models.modelOf({ model: check.model });
    if (!model) return `there is no model '${check.model}'`;
    const body = judgementBodyOf(model.id, { ...judged, rubric: check.rubric });
    const endpoint = '/v1/chat/completions' as const;
    const call = { endpoint, body, bodyBytes: Buffer.byteLength(JSON.stringify(body)) };
    if (judges.worstCaseNanosOf(call) > leftNanos) return 'the limit of the evaluation run does not cover the model';
    const { refusal } = await judges.run(key, call, (answer) => ({
      batchId: evaluationRunId,
      line,
      output: JSON.stringify(answer.body),
    }));
    if (!refusal) return undefined;
    const { status, error } = refusal;
    const isPassing = status === 429 || status >= 500;
    if (isPassing && Context.current().info.attempt < ATTEMPTS_MAX)
      throw new Error(`the model did not judge: ${error.code}`);
    return `the model did not judge: ${error.message}`;
  }
}

function verdictOf(output: string, { check: { pass_threshold: threshold } }: Order): Verdict {
  const body = JSON.parse(output) as Answer;
  const costUsd = body.usage?.cost ?? 0;
  const costNanos = nanosOfUsd(costUsd);
  const said = scoreIn(body.choices?.[0]?.message?.content ?? '');
  if (!said) return { result: { ...errorOf('score_model', 'the model gave no score'), cost_usd: costUsd }, costNanos };
  const { score, reason } = said;
  const result = resultOf('score_model', score >= threshold, `score ${score}, at least ${threshold} passes`);
  return { result: { ...result, score, reason, cost_usd: costUsd }, costNanos };
}

interface Answer {
  choices?: { message?: { content?: string | null } }[];
  usage?: { cost?: number };
}

function scoreIn(text: string): { score: number; reason: string } | undefined {
  const { score, reason } = (dataIn(text) ?? {}) as { score?: unknown; reason?: unknown };
  if (typeof score !== 'number' || !(score >= 0 && score <= 1)) return undefined;
  return { score, reason: typeof reason === 'string' ? storableBeginning(reason, REASON_CHARACTERS_MAX) : '' };
}
