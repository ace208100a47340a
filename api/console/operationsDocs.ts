import { z } from 'zod';
import { pageOf, type RouteDoc } from '../http/documentedRoute.ts';
import { PayoutAnswer } from '../publisher/publisherAnswers.ts';
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

const TAG = 'Operating';
const usd = z.number();
const time = z.iso.datetime();

export const WorkspaceAnswer = z.object({
  id: z.string(),
  object: z.literal('workspace'),
  name: z.string(),
  created_at: time,
  balance_usd: usd,
  held_usd: usd,
  spend_month_usd: usd.describe('In the current month (UTC).'),
  keys: z.int().describe('Keys that are not revoked.'),
  members: z.int(),
  last_used_at: time.nullable(),
});

export const AuditAnswer = z.object({
  id: z.string(),
  object: z.literal('audit.entry'),
  workspace_id: z.string().nullable().describe('The workspace that it concerns.'),
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.string(),
  key_id: z.string().nullable().describe('The key that did it: for a person, often the one of their sessions.'),
  user_id: z.string().nullable(),
  by: z.string().nullable().describe('The name of the person or key.'),
  detail: z.record(z.string(), z.unknown()).describe('Of a change: `before` and `after`.'),
  request_id: z.string(),
  created_at: time,
});

export const AdjustmentAnswer = z.object({
  id: z.string(),
  object: z.literal('adjustment'),
  workspace_id: z.string(),
  amount_usd: usd,
  reason: z.string(),
  status: z.enum(['pending', 'approved', 'rejected']),
  may_approve: z.boolean().describe('Whether the caller may approve it now: a person who did not ask for it.'),
  requested_by: z.string(),
  decided_by: z.string().nullable(),
  created_at: time,
  decided_at: time.nullable(),
});

export const OperatorPayout = PayoutAnswer.extend({
  workspace_id: z.string(),
  decided_by: z.string().nullable(),
  balance_usd: usd.describe('Of the workspace’s account, now.'),
  earned_from: time
    .nullable()
    .describe('When the oldest of its earnings was earned. Null for payouts of before earnings matured.'),
  earned_until: time.nullable().describe('When the newest was.'),
  sources: z
    .array(z.object({ workspace_id: z.string(), earned_usd: usd, balance_usd: usd.nullable() }))
    .describe('In whose runs, with the balance of that caller now; the one with the largest part first.'),
  may_confirm: z
    .boolean()
    .describe('Whether the caller may confirm that it was sent: a person who did not ask for it.'),
});

export const UpstreamList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      models: z.array(z.string()),
      requests_last_hour: z.int(),
      errors_last_hour: z.int().describe('Calls that ended with 5xx.'),
      refusals_last_hour: z.int().describe('Calls that ended with 4xx.'),
      first_byte_p50_ms: z.number().nullable(),
      last_error: z.string().nullable().describe('The last call of the hour that failed.'),
      is_healthy: z.boolean().describe('At most half of the calls of the hour failed.'),
    }),
  ),
});

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
        'What was changed of keys, limits and money, what operators decided, and what of a customer’s content they looked at; newest first.',
      query: AuditQuery,
      answer: { id: 'AuditPage', schema: pageOf(AuditAnswer) },
    },
    steps: {
      tag: TAG,
      summary: 'See how the steps of a run went',
      description:
        'Kinds, names, states, attempts, errors, times, tokens and cost, without arguments, results or instructions: those are the customer’s. Each look is in the audit as `read_run_steps`.',
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
        'Moves the money, once. 403 `second_person_required` for the person who asked for it, with any key of theirs; 403 `person_required` for a key of the command line, whose person is not known; 409 `balance_too_small` when the balance does not cover it.',
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
        'Records its reference, once. 403 `second_person_required` for the person who asked for it; 409 `payout_ended` when it was sent or rejected before, and `payout_at_risk` while payments that were taken back since then are not covered by the other earnings.',
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
