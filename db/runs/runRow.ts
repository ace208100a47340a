import type { Pricing } from '../agents/pricing.ts';

/** What becomes of a run, in order; the last four are final. */
export const runStatuses = [
  'queued',
  'in_progress',
  'requires_action',
  'cancelling',
  'completed',
  'limit_reached',
  'cancelled',
  'failed',
] as const;

export type RunStatus = (typeof runStatuses)[number];

/** What a run was given: the items of its input. */
export type InputItem = { type: 'input_text'; text: string } | { type: 'input_file'; file_id: string };

/** What a run waits for. `answer` is what the caller sent; only the workflow reads it. */
type RequiredAction = { type: 'text' | 'raise_limit'; answer?: object } & Record<string, unknown>;

/** A row of `runs` as `select *` gives it: 64-bit integers as text, times as the driver reads them. */
export interface RunRow {
  id: string;
  workspace_id: string;
  key_id: string;
  account_id: string;
  publisher_workspace_id: string;
  agent_id: string;
  agent: string;
  agent_name: string;
  version_id: string;
  version: string;
  session_id: string;
  visibility: 'public' | 'private';
  status: RunStatus;
  status_reason: string | null;
  input: string | InputItem[];
  output: object[];
  required_action: RequiredAction | null;
  error: object | null;
  fault: string | null;
  limit: object | null;
  on_limit: 'stop' | 'pause';
  on_disconnect: 'continue' | 'cancel';
  waiting: boolean;
  timeout_seconds: number;
  start_at: Date | string;
  source: string;
  metadata: Record<string, string>;
  rate_card: Pricing;
  max_cost_nanos: string;
  minimum_cost_nanos: string;
  hold_id: string;
  held_nanos: string;
  /** Thousandths of units by meter. */
  meters: Record<string, number | string>;
  subtotal_nanos: string;
  network_fee_nanos: string;
  total_nanos: string;
  platform_cost_nanos: string;
  subsidy_nanos: string;
  settled_at: Date | string | null;
  last_sequence: number;
  created_at: Date | string;
  started_at: Date | string | null;
  completed_at: Date | string | null;
  cancel_requested_at: Date | string | null;
  workflow_started_at: Date | string | null;
  cancel_delivered_at: Date | string | null;
}

/** Whether a status is one that a run never leaves. */
export function isTerminal(status: RunStatus): boolean {
  switch (status) {
    case 'completed':
    case 'limit_reached':
    case 'cancelled':
    case 'failed':
      return true;
    case 'queued':
    case 'in_progress':
    case 'requires_action':
    case 'cancelling':
      return false;
    default:
      return status satisfies never;
  }
}
