import { pageOf, type RouteDoc } from '../http/documentedRoute.ts';
import { stepQuery } from '../runs/runDocs.ts';
import { StepPage } from '../runs/stepAnswers.ts';
import * as headers from '../http/documentedHeaders.ts';
import {
  AdjustmentBody,
  AdjustmentQuery,
  AuditQuery,
  PayoutListQuery,
  RejectedBody,
  SentBody,
  WorkspaceQuery,
} from './operationsSchema.ts';
import { AdjustmentAnswer, AuditAnswer, OperatorPayout, UpstreamList, WorkspaceAnswer } from './operationsAnswers.ts';

const TAG = 'Operating';

/** Documentation of the operators' routes over all workspaces. */
export function operationsDocs() {
  return {
    workspaces: {
      tag: TAG,
      summary: 'List the workspaces',
      description: 'Newest first, with balance, spend and keys. Nothing that customers made or sent.',
      query: WorkspaceQuery,
      answer: { id: 'WorkspacePage', schema: pageOf(WorkspaceAnswer) },
    },
    audit: {
      tag: TAG,
      summary: 'Read the audit',
      description:
        'What was changed of keys, limits and money, what operators decided, and what of a customer’s content ' +
        'they looked at; newest first.',
      query: AuditQuery,
      answer: { id: 'AuditPage', schema: pageOf(AuditAnswer) },
    },
    steps: {
      tag: TAG,
      summary: 'See how the steps of a run went',
      description:
        'Kinds, names, states, attempts, errors, times, tokens and cost, without arguments, results or ' +
        'instructions: those are the customer’s. Each look is in the audit as `read_run_steps`.',
      query: stepQuery,
      answer: { id: 'RunStepPage', schema: StepPage },
    },
    upstreams: {
      tag: TAG,
      summary: 'See how upstreams serve',
      answer: { id: 'UpstreamList', schema: UpstreamList },
    },
    ...adjustmentDocs(),
    ...payoutDocs(),
  } satisfies Record<string, RouteDoc>;
}

function adjustmentDocs() {
  const answer = { id: 'Adjustment', schema: AdjustmentAnswer };
  return {
    adjustments: {
      tag: TAG,
      summary: 'List adjustments',
      query: AdjustmentQuery,
      answer: { id: 'AdjustmentPage', schema: pageOf(AdjustmentAnswer) },
    },
    request: {
      tag: TAG,
      summary: 'Ask for an adjustment',
      description: 'A change of a balance. No money moves before another operator approves it.',
      input: {
        id: 'AdjustmentOrder',
        schema: AdjustmentBody,
        example: { workspace_id: 'ws_1', amount_usd: 10, reason: 'Credit for the outage of Monday' },
      },
      headers: headers.ONCE,
      answer,
      statuses: [201],
      errors: [404],
    },
    approve: {
      tag: TAG,
      summary: 'Approve an adjustment',
      description:
        'Moves the money, once. 403 `second_person_required` for the person who asked for it, with any key of ' +
        'theirs; 403 `person_required` for a key of the command line, whose person is not known; 409 ' +
        '`balance_too_small` when the balance does not cover it.',
      answer,
      errors: [409],
    },
    reject: { tag: TAG, summary: 'Reject an adjustment', answer, errors: [409] },
  } satisfies Record<string, RouteDoc>;
}

function payoutDocs() {
  const answer = { id: 'OperatorPayout', schema: OperatorPayout };
  return {
    payouts: {
      tag: TAG,
      summary: 'List payouts of earnings',
      query: PayoutListQuery,
      answer: { id: 'OperatorPayoutPage', schema: pageOf(OperatorPayout) },
    },
    sendPayout: {
      tag: TAG,
      summary: 'Confirm that a transfer was sent',
      description:
        'Records its reference, once. 403 `second_person_required` for the person who asked for it; 409 ' +
        '`payout_ended` when it was sent or rejected before, and `payout_at_risk` while payments that were taken ' +
        'back since then are not covered by the other earnings.',
      input: { id: 'PayoutSent', schema: SentBody, example: { reference: 'SEPA 2026-11-24 0815' } },
      answer,
      errors: [409],
    },
    rejectPayout: {
      tag: TAG,
      summary: 'Reject a transfer',
      description: 'Its money is among the earnings again, and the publisher reads the reason.',
      input: { id: 'PayoutRejected', schema: RejectedBody, example: { reason: 'The account number is not valid.' } },
      answer,
      errors: [409],
    },
  } satisfies Record<string, RouteDoc>;
}
