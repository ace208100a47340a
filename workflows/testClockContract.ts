import { TASK_QUEUE, workspaceAttribute, type TestClockInput } from './contract.ts';

/** The workflow that moves the clock of a test workspace. */
export const TEST_CLOCK_WORKFLOW = 'testClock';

/** Options that start it, one at a time for each workspace. */
export const testClockStartOf = (workspaceId: string) => ({
  workflowId: `test-clock/${workspaceId}`,
  taskQueue: TASK_QUEUE,
  args: [{ workspaceId }] as [TestClockInput],
  workflowIdConflictPolicy: 'USE_EXISTING' as const,
  staticSummary: `The test clock of ${workspaceId}`,
  typedSearchAttributes: [workspaceAttribute(workspaceId)],
});
