/** The queue that the worker takes its tasks from. */
export const taskQueue = 'ledgerline';

/** The schedule, and the workflow that it starts. */
export const sweepScheduleId = 'sweep';
export const sweepWorkflow = 'sweep';

/** What one sweep ended of what dead processes had left. */
export type SweepResult = { processesReaped: number; requestsSettled: number; holdsReleased: number };
