import { ONE_AT_A_TIME, workspaceAttribute } from './start.ts';

/** The workflow of a part of a sign-in to a plugin. */
export const PLUGIN_SIGN_IN_WORKFLOW = 'pluginSignIn';
export type PluginSignInInput =
  { part: 'begin' | 'finish'; attemptId: string } | { part: 'revoke'; workspaceId: string; pluginId: string };

/** Options that start a part of a sign-in of a workspace: one at a time. */
export const pluginSignInStartOf = (input: PluginSignInInput, workspaceId: string) => ({
  ...ONE_AT_A_TIME,
  workflowId: `plugin-sign-in/${input.part === 'revoke' ? `${input.workspaceId}/${input.pluginId}` : input.attemptId}/${input.part}`,
  args: [input] as [PluginSignInInput],
  staticSummary: `Sign-in to a plugin: ${input.part}`,
  typedSearchAttributes: [workspaceAttribute(workspaceId)],
});
