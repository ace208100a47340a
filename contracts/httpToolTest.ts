import { TASK_QUEUE, workspaceAttribute } from './start.ts';

/** The workflow of a test of an HTTP tool. */
export const HTTP_TOOL_TEST_WORKFLOW = 'httpToolTest';

export interface HttpToolTestInput {
  testId: string;
}

/** Options that start a test of a workspace. */
export const httpToolTestStartOf = ({ testId }: HttpToolTestInput, workspaceId: string) => ({
  workflowId: `http-tool-test/${testId}`,
  taskQueue: TASK_QUEUE,
  args: [{ testId }] as [HttpToolTestInput],
  workflowIdConflictPolicy: 'USE_EXISTING' as const,
  staticSummary: 'Test of an HTTP tool',
  typedSearchAttributes: [workspaceAttribute(workspaceId)],
});
