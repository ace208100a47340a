import { ONE_AT_A_TIME, workspaceAttribute } from './start.ts';

/** The workflow of a test of an HTTP tool. */
export const HTTP_TOOL_TEST_WORKFLOW = 'httpToolTest';

export interface HttpToolTestInput {
  testId: string;
}

/** Options that start a test of a workspace. */
export const httpToolTestStartOf = ({ testId }: HttpToolTestInput, workspaceId: string) => ({
  ...ONE_AT_A_TIME,
  workflowId: `http-tool-test/${testId}`,
  args: [{ testId }] as [HttpToolTestInput],
  staticSummary: 'Test of an HTTP tool',
  typedSearchAttributes: [workspaceAttribute(workspaceId)],
});
