import { z } from 'zod';
import { PayoutAnswer } from '../publisher/publisherAnswers.ts';

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
  workspace_name: z.string().nullable(),
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.string(),
  subject_name: z.string().nullable().describe('Of a key, a person or a workspace.'),
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
  workspace_name: z.string().nullable(),
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
  workspace_name: z.string().nullable(),
  decided_by: z.string().nullable(),
  balance_usd: usd.describe('Of the workspace’s account, now.'),
  earned_from: time
    .nullable()
    .describe('When the oldest of its earnings was earned. Null for payouts of before earnings matured.'),
  earned_until: time.nullable().describe('When the newest was.'),
  sources: z
    .array(
      z.object({
        workspace_id: z.string(),
        workspace_name: z.string().nullable(),
        earned_usd: usd,
        balance_usd: usd.nullable(),
      }),
    )
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
