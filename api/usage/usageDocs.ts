import type { RouteDoc } from '../http/documentedRoute.ts';
import { ErrorReport, LatencyReport, UsageReport } from './usageAnswers.ts';
import { ErrorQuery, LatencyQuery, UsageReportQuery } from './usageSchema.ts';

/** Documentation of usage reports. */
export const usageReportDoc = {
  tag: 'Billing',
  summary: 'Read what was used, grouped',
  description:
    'Calls and runs of all products. An entry has a member for each group, null where the group does not ' +
    'apply: a run has no model, a call no agent. The total is the sum of the ledger’s debits, refunds and ' +
    'corrections of the same time, to the nano-USD. The meter `rounding` is what remains of bills after ' +
    'their units: rounding, refunds, and amounts above a hold that were not charged. Tokens are among the ' +
    'units: `input_tokens`, `output_tokens`, and `cached_input_tokens` where a model has a price for them. Without ' +
    '`from`, the last 30 days; by minute, the last hour.',
  query: UsageReportQuery,
  answer: { id: 'UsageReport', schema: UsageReport },
  alsoAs: ['text/csv'],
} satisfies RouteDoc;

/** Documentation of latencies. */
export const latencyDoc = {
  tag: 'Billing',
  summary: 'Read how long calls took, grouped',
  description:
    'The median and the 95th percentile of calls that succeeded, exact: each is the time of a call. An entry has a ' +
    'member for each group; the total is of all calls of the range. Without `from`, the last 30 days; by minute, the ' +
    'last hour.',
  query: LatencyQuery,
  answer: { id: 'LatencyReport', schema: LatencyReport },
} satisfies RouteDoc;

/** Documentation of errors. */
export const errorsDoc = {
  tag: 'Billing',
  summary: 'Read how many calls were refused or failed, grouped',
  description:
    'An entry has a member for each group. Calls whose clients disconnected are none of these. Without `from`, the ' +
    'last 30 days; by minute, the last hour.',
  query: ErrorQuery,
  answer: { id: 'ErrorReport', schema: ErrorReport },
} satisfies RouteDoc;
