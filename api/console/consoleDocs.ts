import type { z } from 'zod';
import type { RouteDoc } from '../docs/documentedRoute.ts';
import { Namespace, ReviewDetail, ReviewPage, Subsidy } from '../publisher/publisherAnswers.ts';
import * as headers from '../docs/headers.ts';

const TAG = 'Operating';

/** Documentation of reviews for operators, whose keys have the scope `operator`. */
export function consoleDocs(inputs: {
  reviewList: z.ZodObject;
  decision: z.ZodType;
  comment: z.ZodType;
  verification: z.ZodType;
  subsidy: z.ZodType;
}) {
  const decision = {
    id: 'Decision',
    schema: inputs.decision,
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
      description: 'Those that wait for a decision unless another `status` is asked for; the oldest first.',
      query: inputs.reviewList,
      answer: ReviewPage,
    },
    retrieveReview: {
      tag: TAG,
      summary: 'Read a submission with all that a decision needs',
      answer: ReviewDetail,
    },
    approve: decide('Approve a submission', 'It becomes public in the place of the version that was.'),
    requestChanges: decide(
      'Ask for changes',
      'The submission is closed; its publisher mends the draft and submits again.',
    ),
    reject: decide('Reject a submission'),
    suspend: decide('Suspend a public agent', 'New runs are refused with 409 `agent_suspended`.'),
    reinstate: decide('Bring a suspended agent back'),
    verify: {
      tag: TAG,
      summary: 'Verify a publisher',
      description: 'Says that somebody has made sure who stands behind a namespace; `verified: false` takes it back.',
      input: { id: 'Verification', schema: inputs.verification, example: { verified: true }, isOptional: true },
      headers: headers.ONCE,
      answer: Namespace,
    },
    subsidy: subsidyDoc(inputs.subsidy),
    comment: {
      tag: TAG,
      summary: 'Tell the publisher something',
      input: { id: 'NewComment', schema: inputs.comment, example: { message: 'We look at it on Monday.' } },
      headers: headers.ONCE,
      answer: ReviewDetail,
      statuses: [201],
    },
  } satisfies Record<string, RouteDoc>;
}

function subsidyDoc(schema: z.ZodType): RouteDoc {
  return {
    tag: TAG,
    summary: 'Subsidise an agent',
    description:
      'Lets its runs cost less than the platform’s own cost of model and sandbox; the platform bears the difference. `granted: false` takes it back. Runs that were created before keep their price list.',
    input: { id: 'SubsidyChange', schema, example: { granted: true }, isOptional: true },
    headers: headers.ONCE,
    answer: Subsidy,
  };
}
