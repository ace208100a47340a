import { patched, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { PluginSignInInput } from '../contracts/pluginSignIn.ts';

// A code works once: if a worker is lost after the exchange, the member signs in again.
const CODE = { startToCloseTimeout: '1m', retry: { maximumAttempts: 3 } } as const;
const { beginPluginSignIn } = proxyActivities<Activities>({ ...CODE, summary: 'Find where to sign in' });
const { finishPluginSignIn } = proxyActivities<Activities>({ ...CODE, summary: 'Exchange the code for tokens' });
const REVOCATION = {
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m', maximumAttempts: 8 },
} as const;
const { revokePluginSignIn } = proxyActivities<Activities>({
  ...REVOCATION,
  summary: 'Revoke the tokens, and delete them',
});
const { revokeReplacedSignIn } = proxyActivities<Activities>({
  ...REVOCATION,
  summary: 'Revoke the tokens of the sign-in before',
});
const { deletePluginSignIn } = proxyActivities<Activities>({
  summary: 'Delete tokens that could not be revoked',
  startToCloseTimeout: '1m',
});

/** One part of a workspace's sign-in to a plugin. Addresses, codes and tokens are in the database: the history contains only ids. */
export async function pluginSignIn(input: PluginSignInInput): Promise<void> {
  switch (input.part) {
    case 'begin':
      return beginPluginSignIn(input.attemptId);
    case 'finish':
      await finishPluginSignIn(input.attemptId);
      // What cannot be revoked is deleted with the attempt.
      if (patched('revokesReplaced')) await revokeReplacedSignIn(input.attemptId).catch(() => {});
      return;
    case 'revoke': {
      const { workspaceId, pluginId } = input;
      return revokePluginSignIn({ workspaceId, pluginId }).catch(() => deletePluginSignIn({ workspaceId, pluginId }));
    }
    default:
      return input satisfies never;
  }
}
