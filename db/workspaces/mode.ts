/** The prefix of test workspaces' ids. It tells them from live workspaces without a lookup. */
export const TEST_PREFIX = 'wst';

/** Whether a workspace is one for tests. */
export const isTestWorkspace = (workspaceId: string): boolean => workspaceId.startsWith(`${TEST_PREFIX}_`);

/** Whether a workspace's money and calls are real. */
export const modeOf = (workspaceId: string): 'live' | 'test' => (isTestWorkspace(workspaceId) ? 'test' : 'live');

/** SQL, of a column with a workspace's id: whether it is one for tests. */
export const isTestSql = (column: string): string => `starts_with(${column}, '${TEST_PREFIX}_')`;

/** SQL, of such a column: whether the workspace is live. Figures and lists for everybody have live workspaces alone. */
export const isLiveSql = (column: string): string => `not ${isTestSql(column)}`;
