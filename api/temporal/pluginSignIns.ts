import type { PluginSignInInput } from '../../contracts/pluginSignIn.ts';
import { PLUGIN_SIGN_IN_WORKFLOW, pluginSignInStartOf } from '../../contracts/pluginSignIn.ts';
import type { Temporal } from './temporal.ts';

/** Starts sign-ins to plugins in workers: only they reach authorization servers, and see codes and tokens. */
export interface PluginSignIns {
  /** Throws when Temporal does not answer. */
  start(input: PluginSignInInput, workspaceId: string): Promise<void>;
}

/** Starts a workflow for each part of a sign-in. */
export const createPluginSignIns = ({ temporal }: { temporal: Pick<Temporal, 'call'> }): PluginSignIns => ({
  start: async (input, workspaceId) => {
    const options = pluginSignInStartOf(input, workspaceId);
    await temporal.call((client) => client.workflow.start(PLUGIN_SIGN_IN_WORKFLOW, options));
  },
});
