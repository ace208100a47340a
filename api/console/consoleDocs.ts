import { NOTICE_DAYS } from '../../base/limits.ts';
import type { RouteDoc } from '../http/documentedRoute.ts';
import { Namespace, ReviewDetail, ReviewPage, Subsidy } from '../publisher/publisherAnswers.ts';
import { ROLLOUT_PLAN } from '../publisher/publisherDocs.ts';
import { evaluationDocs } from '../evaluations/evaluationDocs.ts';
import { TrialList } from '../publisher/trials.ts';
import { FILE_CONTENT } from '../files/fileDocs.ts';
import * as headers from '../http/documentedHeaders.ts';
import { CommentBody, VerificationBody } from '../publisher/publisherSchema.ts';
import { ApprovalBody, DecisionBody, ReviewListQuery, SubsidyBody } from './consoleSchema.ts';

const TAG = 'Operating';

/** Documentation of reviews for operators, whose keys have the scope `operator`. */
export function consoleDocs() {
  const decision = {
    id: 'Decision',
    schema: DecisionBody,
    example: { feedback: [{ path: '/instructions', message: 'Say which language it answers in.' }] },
    isOptional: true as const,
  };
  const decide = (summary: string, description?: string) =>
    ({
      tag: TAG,
      summary,
      description,
      input: decision,
      headers: headers.ONCE,
      answer: ReviewDetail,
    }) satisfies RouteDoc;
  return {
    listReviews: {
      tag: TAG,
      summary: 'List submissions by their state',
      description: 'Submissions in review by default, or with another `status`; the oldest first.',
      query: ReviewListQuery,
      answer: ReviewPage,
    },
    retrieveReview: {
      tag: TAG,
      summary: 'Read a submission with everything for a decision',
      answer: ReviewDetail,
    },
    ...TRIALS,
    ...ROLLOUT,
    requestChanges: decide(
      'Ask for changes',
      'Closes the submission; its publisher changes the draft and submits again.',
    ),
    reject: decide('Reject a submission'),
    suspend: decide('Suspend a public agent', 'New runs are refused with 409 `agent_suspended`.'),
    reinstate: decide('Reinstate a suspended agent'),
    verify: {
      tag: TAG,
      summary: 'Verify a publisher',
      description:
        'Records that an operator has verified the publisher of a namespace; `verified: false` withdraws that.',
      input: { id: 'Verification', schema: VerificationBody, example: { verified: true }, isOptional: true },
      headers: headers.ONCE,
      answer: Namespace,
    },
    subsidy: SUBSIDY,
    comment: {
      tag: TAG,
      summary: 'Comment on a submission',
      input: { id: 'NewComment', schema: CommentBody, example: { message: 'We look at it on Monday.' } },
      headers: headers.ONCE,
      answer: ReviewDetail,
      statuses: [201],
    },
  } satisfies Record<string, RouteDoc>;
}

const SUBSIDY = {
  tag: TAG,
  summary: 'Subsidise an agent',
  description:
    'Lets its runs cost less than the platform’s own cost of model and sandbox; the platform pays the ' +
    'difference. `granted: false` withdraws it. Runs that were created before keep their price list.',
  input: { id: 'SubsidyChange', schema: SubsidyBody, example: { granted: true }, isOptional: true },
  headers: headers.ONCE,
  answer: Subsidy,
} satisfies RouteDoc;

const TRIALS = {
  retrieveEvaluation: { ...evaluationDocs.deployment, tag: TAG },
  listTrials: {
    tag: TAG,
    summary: 'Read the trials of a submission',
    description:
      'Each example prompt and each probe with the answer of the submitted version, and the examples also with that of the public one.',
    answer: TrialList,
  },
  retrieveTrialFile: { tag: TAG, summary: 'Read a file that a trial has written', ...FILE_CONTENT },
} satisfies Record<string, RouteDoc>;

const ROLLOUT = {
  approve: {
    tag: TAG,
    summary: 'Approve a submission',
    description:
      'Makes it public in place of the previous version; with `rollout_percentage` or `rollout_steps` for ' +
      `a share of the new sessions at first. A more expensive version becomes the default ${NOTICE_DAYS} days later.`,
    input: { id: 'Approval', schema: ApprovalBody, example: { rollout_percentage: 5 }, isOptional: true },
    headers: headers.ONCE,
    answer: ReviewDetail,
  },
  planRollout: { tag: TAG, ...ROLLOUT_PLAN, answer: ReviewDetail },
  promote: {
    tag: TAG,
    summary: 'Make a version that is rolled out the default',
    description: '409 `notice_period` for a more expensive version whose notice is not over.',
    headers: headers.ONCE,
    answer: ReviewDetail,
  },
  rollBack: {
    tag: TAG,
    summary: 'Take back a version that is rolled out',
    headers: headers.ONCE,
    answer: ReviewDetail,
  },
} satisfies Record<string, RouteDoc>;
