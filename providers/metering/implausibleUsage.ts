const HOUR_MS = 3_600_000;
// Further alarms within the hour tell operators nothing new.
const KEPT_MAX = 1_000;

const timesByModel = new Map<string, number[]>();

/** An upstream's usage was unreadable or implausible: the call is billed by our own count, and operators are told. */
export function noteImplausibleUsage(model: string): void {
  const times = timesByModel.get(model) ?? [];
  timesByModel.set(model, [...times.slice(1 - KEPT_MAX), performance.now()]);
}

/** Calls within the last hour that this process had to count itself, by model. */
export const implausibleUsageGauge = {
  name: 'ledgerline_implausible_usage',
  help: 'Calls of the last hour whose usage the upstream reported implausibly or unreadably, so that it was counted here',
  labels: ['model'],
  read: () => {
    const sinceMs = performance.now() - HOUR_MS;
    return [...timesByModel].map(([model, times]) => ({
      labels: { model },
      value: times.filter((atMs) => atMs > sinceMs).length,
    }));
  },
};
