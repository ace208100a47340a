import { EVALUATION_RUNS_KEPT, OPEN_EVALUATION_RUNS_MAX } from '../../db/evaluations/evaluationRuns.ts';
import * as headers from '../http/documentedHeaders.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { AgentListQuery } from '../publisher/publisherSchema.ts';
import {
  DeletedEvaluationSet,
  DeploymentEvaluation,
  EvaluationQuoteAnswer,
  EvaluationRunAnswer,
  EvaluationRunPage,
  EvaluationSetAnswer,
} from './evaluationAnswers.ts';
import {
  CASES_MAX,
  EvaluationQuoteBody,
  EvaluationRunBody,
  EvaluationRunQuery,
  EvaluationSetBody,
} from './evaluationSchema.ts';

const TAG = 'Evaluations';
const SET = { id: 'EvaluationSet', schema: EvaluationSetAnswer };
const RUN = { id: 'EvaluationRun', schema: EvaluationRunAnswer };
const WAITED = {
  location: 'The path of the run.',
  'preference-applied': 'How long it waited.',
};

const EXAMPLE_CHECKS = [
  { type: 'string_check', operation: 'contains', reference: 'rain' },
  { type: 'score_model', rubric: 'Four lines that rhyme.', pass_threshold: 0.7 },
  { type: 'cost', max_cost_usd: 0.01 },
];

/** Documentation of evaluation sets. */
export const evaluationDocs = {
  retrieveSet: {
    tag: TAG,
    summary: 'Read the evaluation set of an agent',
    description:
      'Inputs with checks of what a run does with them. An agent without a set has no cases, and the revision 0.',
    answer: SET,
  },
  replaceSet: {
    tag: TAG,
    summary: 'Store the evaluation set of an agent',
    description:
      `Replaces all cases, at most ${CASES_MAX}. Checks: string_check, json_schema, score_model (a model scores the output by a rubric), ` +
      'tool_called, cost and latency. A case passes when all of its checks do.',
    input: {
      id: 'NewEvaluationSet',
      schema: EvaluationSetBody,
      example: { cases: [{ name: 'Rain', input: 'A verse about rain', checks: EXAMPLE_CHECKS }] },
    },
    answer: SET,
    errors: [404, 409],
  },
  deleteSet: {
    tag: TAG,
    summary: 'Delete the evaluation set of an agent',
    description: 'Its runs stay.',
    answer: { id: 'DeletedEvaluationSet', schema: DeletedEvaluationSet },
  },
  quote: {
    tag: TAG,
    summary: 'Quote a run of the evaluation set',
    description: 'What it probably costs and what it can cost at most. Stores nothing.',
    input: { id: 'EvaluationQuoteOrder', schema: EvaluationQuoteBody, example: { version: 'draft' } },
    answer: { id: 'EvaluationQuote', schema: EvaluationQuoteAnswer },
    errors: [404],
  },
  startRun: {
    tag: TAG,
    summary: 'Run the evaluation set',
    description:
      'Each case is a test run of the version, at the platform’s costs, paid by the key; models that judge are calls at their price. All ' +
      `together never cost more than \`max_cost_usd\`. The newest ${EVALUATION_RUNS_KEPT} runs of an agent are kept, and ` +
      `${OPEN_EVALUATION_RUNS_MAX} of a workspace may be open.`,
    input: { id: 'EvaluationRunOrder', schema: EvaluationRunBody, example: { version: 'draft', max_cost_usd: 0.5 } },
    headers: headers.ONCE_OR_WAIT,
    answer: RUN,
    answerHeaders: WAITED,
    statuses: [200, 202],
    errors: [402, 404],
  },
  listRuns: {
    tag: TAG,
    summary: 'List the runs of the evaluation set',
    description: 'Newest first, without their cases.',
    query: AgentListQuery,
    answer: { id: 'EvaluationRunPage', schema: EvaluationRunPage },
  },
  retrieveRun: {
    tag: TAG,
    summary: 'Read a run of the evaluation set',
    description:
      'The results of its cases and checks, with `against` beside those of the public version. In CI, ask with `Prefer: wait=60` until ' +
      '`status` is passed, failed or cancelled.',
    query: EvaluationRunQuery,
    headers: headers.WAIT,
    answer: RUN,
    answerHeaders: WAITED,
  },
  cancelRun: {
    tag: TAG,
    summary: 'Cancel a run of the evaluation set',
    description: 'Its running cases are cancelled; their usage so far is paid.',
    headers: headers.ONCE_OR_WAIT,
    answer: RUN,
    answerHeaders: WAITED,
    statuses: [200, 202],
  },
  deployment: {
    tag: TAG,
    summary: 'Read what the evaluation set says about a submission',
    description:
      'The newest run with exactly the configuration of this version, beside the newest one of the public version. It is part of the review.',
    answer: { id: 'DeploymentEvaluation', schema: DeploymentEvaluation },
  },
} satisfies Record<string, RouteDoc>;
