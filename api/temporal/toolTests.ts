import { HTTP_TOOL_TEST_WORKFLOW, httpToolTestStartOf } from '../../contracts/httpToolTest.ts';
import type { Temporal } from './temporal.ts';

/** Starts tests of HTTP tools in workers: only they can open the secrets that sign them. */
export interface ToolTests {
  /** Throws when Temporal does not answer. */
  start(testId: string, workspaceId: string): Promise<void>;
}

/** Starts a workflow for each test. */
export const createToolTests = ({ temporal }: { temporal: Pick<Temporal, 'call'> }): ToolTests => ({
  start: async (testId, workspaceId) => {
    const options = httpToolTestStartOf({ testId }, workspaceId);
    await temporal.call((client) => client.workflow.start(HTTP_TOOL_TEST_WORKFLOW, options));
  },
});
