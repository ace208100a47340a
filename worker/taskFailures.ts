import { MetricsBuffer } from '@temporalio/worker';
import type { ReadGauge, Sample } from '../base/telemetry/metrics.ts';

const FAILED = 'temporal_workflow_task_execution_failed';
const DRAIN_MS = 1_000;

/**
 * Counts workflow tasks that fail, by an error of the workflow's code or because the code does not fit the history: Temporal repeats them
 * without end, and the workflow hangs. The library counts them in one of its metrics, all of which `buffer` receives.
 */
export function createTaskFailures() {
  const buffer = new MetricsBuffer();
  const counts = new Map<string, Required<Sample>>();

  function drain(): void {
    for (const { metric, value, attributes } of buffer.retrieveUpdates()) {
      if (metric.name !== FAILED) continue;
      const labels = { workflow: String(attributes.workflow_type), reason: String(attributes.failure_reason) };
      const name = Object.values(labels).join(' ');
      counts.set(name, { labels, value: (counts.get(name)?.value ?? 0) + value });
    }
  }

  // A full buffer drops what comes.
  setInterval(drain, DRAIN_MS).unref();
  const gauge: ReadGauge & { isCounter: true } = {
    name: 'ledgerline_workflow_task_failures_total',
    help: 'Workflow tasks that failed, which are repeated without end, by workflow and reason',
    labels: ['workflow', 'reason'],
    isCounter: true,
    read: () => {
      drain();
      return [...counts.values()];
    },
  };
  return { buffer, gauge };
}
