import type { Client } from '@temporalio/client';
import type { ReadGauge, Sample } from '../base/telemetry/metrics.ts';
import { BATCH_TASK_QUEUE } from '../contracts/batch.ts';
import { TOOL_TASK_QUEUE } from '../contracts/run.ts';
import { TASK_QUEUE } from '../contracts/start.ts';
import { CHECK_WORKFLOW, SWEEP_WORKFLOW } from '../contracts/sweep.ts';
import { WEBHOOK_TASK_QUEUE } from '../contracts/webhook.ts';

const QUEUES = [TASK_QUEUE, TOOL_TASK_QUEUE, WEBHOOK_TASK_QUEUE, BATCH_TASK_QUEUE];
const TYPES = { workflow: 1, activity: 2 } as const;
/** How long a figure of Temporal may take: without it the client tries for ten seconds. */
export const TEMPORAL_LIMIT_MS = 1_000;
const CHECKED_MS = 2 * 3_600_000;
const PASSED_MS = 3 * 3_600_000;

/** The workers' backlog, and whether the scheduled workflows succeed. */
export function temporalGauges(client: Client): ReadGauge[] {
  const gauges: ReadGauge[] = [
    {
      name: 'ledgerline_temporal_backlog',
      help: 'Tasks that wait for a worker, by queue and type',
      labels: ['queue', 'type'],
      read: () => readQueues(client, ({ approximateBacklogCount: count }) => Number(count ?? 0)),
    },
    {
      name: 'ledgerline_temporal_backlog_age_seconds',
      help: 'Age of the oldest task that waits for a worker',
      labels: ['queue', 'type'],
      read: () => readQueues(client, ({ approximateBacklogAge: age }) => Number(age?.seconds ?? 0)),
    },
    {
      name: 'ledgerline_ledger_check_failures',
      help: 'Checks of the ledger in the last two hours that found a broken rule, or could not run',
      read: () => countEnded(client, CHECK_WORKFLOW, { as: ['Failed', 'TimedOut'], sinceMs: CHECKED_MS }),
    },
    {
      name: 'ledgerline_ledger_checks_passed',
      help: 'Checks of the ledger in the last three hours that found every rule kept',
      read: () => countEnded(client, CHECK_WORKFLOW, { as: ['Completed'], sinceMs: PASSED_MS }),
    },
    {
      name: 'ledgerline_sweeper_running',
      help: 'Whether the workflow that sweeps is open: 1 or 0',
      read: async () => {
        const query = `WorkflowType = '${SWEEP_WORKFLOW}' AND ExecutionStatus = 'Running'`;
        return [{ value: Math.min(1, (await client.workflow.count(query)).count) }];
      },
    },
  ];
  return gauges.map((gauge) => ({ ...gauge, limitMs: TEMPORAL_LIMIT_MS }));
}

/** How many workflows of a type have ended in these ways in the last milliseconds. */
export async function countEnded(
  client: Client,
  type: string,
  { as, sinceMs }: { as: string[]; sinceMs: number },
): Promise<Sample[]> {
  const statuses = as.map((status) => `'${status}'`).join(', ');
  const since = new Date(Date.now() - sinceMs).toISOString();
  const query = `WorkflowType = '${type}' AND ExecutionStatus IN (${statuses}) AND CloseTime > '${since}'`;
  return [{ value: (await client.workflow.count(query)).count }];
}

type Stats = NonNullable<Awaited<ReturnType<Client['workflowService']['describeTaskQueue']>>['stats']>;

async function readQueues(client: Client, valueOf: (stats: Stats) => number): Promise<Sample[]> {
  const { namespace } = client.options;
  const places = QUEUES.flatMap((name) =>
    Object.entries(TYPES).map(([type, taskQueueType]) => ({ name, type, taskQueueType })),
  );
  return Promise.all(
    places.map(async ({ name, type, taskQueueType }) => {
      const asked = { namespace, taskQueue: { name }, taskQueueType, reportStats: true };
      const { stats } = await client.workflowService.describeTaskQueue(asked);
      return { labels: { queue: name, type }, value: stats ? valueOf(stats) : 0 };
    }),
  );
}
