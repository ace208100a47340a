import { log } from '@temporalio/activity';
import { storableText } from '../../base/json.ts';
import {
  askAttempt,
  connectPlugin,
  deleteReplaced,
  deleteRevoked,
  failAttempt,
  findAttempt,
  findSignIn,
  isBeingRenewed,
  openAttempt,
  openReplaced,
  openSignIn,
  type AttemptRow,
} from '../../db/plugins/pluginSignIns.ts';
import { readPlugins } from '../../db/plugins/plugins.ts';
import type { SealingKeys } from '../../db/sealing/sealingKeys.ts';
import { supplyRuns } from '../../db/runs/states/supplyRuns.ts';
import type { SecretOpener } from '../../db/sealing/secretBox.ts';
import {
  accountIn,
  beginSignIn,
  finishSignIn,
  revokeSignIn,
  type BegunSignIn,
  type SignedInPlugin,
} from '../../tools/pluginSignIn.ts';
import { SignInFailed, type SignInPlugin } from '../../tools/signInDiscovery.ts';
import type { RunDependencies } from '../dependencies.ts';
import { endOf } from './pluginTokens.ts';
import { revokeReplaced } from './revokeReplaced.ts';

/** Services that the activities of sign-ins use. */
export type SignInDependencies = Pick<RunDependencies, 'db'> & {
  workflows: Pick<RunDependencies['workflows'], 'resume'>;
  pluginKeys: SealingKeys;
  /** Decrypts values sealed for workers. */
  secrets: SecretOpener;
};

/** The activities of sign-ins to plugins. Only workers see codes and tokens. */
export function signInActivities(dependencies: SignInDependencies) {
  const { db, secrets } = dependencies;
  const { everywhere } = db;

  async function attemptAt(id: string, work: (attempt: AttemptRow) => Promise<void>): Promise<void> {
    const attempt = await findAttempt(everywhere, id);
    if (!attempt) return;
    try {
      await work(attempt);
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error;
      log.warn('a sign-in to a plugin failed', { plugin: attempt.pluginId, error });
      await failAttempt(everywhere, id, error.message);
    }
  }

  return {
    /** Finds the address where the member of an attempt signs in. */
    beginPluginSignIn: (id: string): Promise<void> =>
      attemptAt(id, async (attempt) => {
        if (attempt.state !== 'begun') return;
        const plugin = await pluginOf(dependencies, { id: attempt.pluginId, version: attempt.pluginVersion });
        const { authorizationUrl, begun } = await beginSignIn(plugin, attempt.redirectUrl);
        await askAttempt(everywhere, attempt, { authorizationUrl, begun: { ...begun, url: plugin.url } });
      }),

    /** Exchanges the code of an attempt for tokens, and resumes the runs that wait for them. */
    finishPluginSignIn: (id: string): Promise<void> =>
      attemptAt(id, async (attempt) => {
        const { workspaceId, pluginId, pluginVersion } = attempt;
        if (attempt.state === 'answered') {
          const plugin = await pluginOf(dependencies, { id: pluginId, version: pluginVersion });
          const opened = openAttempt(secrets, attempt);
          // Begun before this was stored: the address has not been compared.
          const { url = plugin.url, ...begun } = opened.begun as BegunSignIn & { url?: string };
          if (url !== plugin.url) throw new SignInFailed('The plugin has another address by now. Begin again.');
          const content = await finishSignIn(plugin, begun, opened.answer as { code: string; iss?: string });
          const { issuer, tokens } = content;
          const scope = tokens.scope === undefined ? null : storableText(tokens.scope);
          const shown = { issuer, scope, account: accountIn(content), expiresAt: endOf(content) };
          if (!(await connectPlugin(everywhere, attempt, { url: plugin.url, content, ...shown }))) {
            await revokeReplaced({ everywhere, secrets }, attempt, { plugin, signedIn: content });
            return;
          }
        } else if (attempt.state !== 'connected') return;
        for (const run of await supplyRuns(db, { workspaceId, type: 'plugin_sign_in', plugin: pluginId })) {
          // If this fails, the sweep resumes them.
          await dependencies.workflows
            .resume(run.id)
            .catch((error: unknown) => log.warn('a run was not resumed', { runId: run.id, error }));
        }
      }),

    /** Revokes the tokens that the sign-in of an attempt has replaced. */
    async revokeReplacedSignIn(attemptId: string): Promise<void> {
      const attempt = await findAttempt(everywhere, attemptId);
      const replaced = attempt && openReplaced(secrets, attempt);
      if (!replaced) return;
      const signedIn = openSignIn(secrets, replaced) as SignedInPlugin;
      await revokeReplaced({ everywhere, secrets }, replaced, {
        plugin: await targetOf(dependencies, replaced),
        signedIn,
      });
      await deleteReplaced(everywhere, attempt);
    },

    /** Revokes the tokens of a disconnected workspace. Throws while they are renewed: the new ones are stored then, and revoked by a later try. */
    async revokePluginSignIn(place: { workspaceId: string; pluginId: string }): Promise<void> {
      const row = await findSignIn(everywhere, place);
      if (row?.state !== 'revoking') return;
      if (await isBeingRenewed(everywhere, place)) throw new Error('the tokens are being renewed');
      await revokeSignIn(await targetOf(dependencies, row), openSignIn(secrets, row) as SignedInPlugin);
      await deleteRevoked(everywhere, place);
    },

    /** Deletes tokens that could not be revoked. */
    deletePluginSignIn: (place: { workspaceId: string; pluginId: string }): Promise<void> =>
      deleteRevoked(everywhere, place),
  };
}

/** Where the tokens of a sign-in are revoked. Without the plugin's registration, only public addresses are reachable. */
async function targetOf(
  dependencies: SignInDependencies,
  { pluginId, pluginVersion, url }: { pluginId: string; pluginVersion: string; url: string },
): Promise<SignInPlugin> {
  const plugin = { id: pluginId, version: pluginVersion, evenOff: true };
  const { settings } = await pluginOf(dependencies, plugin).catch(() => ({ settings: {} }));
  return { url, settings };
}

async function pluginOf(
  { db, pluginKeys }: SignInDependencies,
  { id, version, evenOff = false }: { id: string; version: string; evenOff?: boolean },
): Promise<SignInPlugin> {
  try {
    const [plugin] = await readPlugins(db.everywhere, pluginKeys, [{ plugin_id: id, version }], { evenOff });
    return { url: plugin!.url, settings: plugin!.signIn! };
  } catch (cause) {
    throw new SignInFailed('The plugin cannot be used now.', { cause });
  }
}
