import { findSignIn, openSignIn } from '../../db/plugins/pluginSignIns.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import type { SecretOpener } from '../../db/sealing/secretBox.ts';
import { isSameGrant, revokeSignIn, type SignedInPlugin } from '../../tools/pluginSignIn.ts';
import type { SignInPlugin } from '../../tools/signInDiscovery.ts';

/**
 * Revokes tokens in whose place a workspace has others. Of the same client and account they stay: many servers revoke a person's whole grant,
 * and with it the tokens in use.
 */
export async function revokeReplaced(
  { everywhere, secrets }: { everywhere: Rows<undefined>; secrets: SecretOpener },
  place: { workspaceId: string; pluginId: string },
  { plugin, signedIn }: { plugin: SignInPlugin; signedIn: SignedInPlugin },
): Promise<void> {
  const row = await findSignIn(everywhere, place);
  const isShared = row?.state === 'connected' && isSameGrant(signedIn, openSignIn(secrets, row) as SignedInPlugin);
  if (!isShared) await revokeSignIn(plugin, signedIn);
}
