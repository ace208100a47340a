import { log } from '@temporalio/activity';
import { setTimeout as sleep } from 'node:timers/promises';
import { PluginNeedsCaller, type RegisteredPlugin } from '../../db/plugins/plugins.ts';
import { claimRenewal, endRenewal, findSignIn, openSignIn } from '../../db/plugins/pluginSignIns.ts';
import type { Rows } from '../../db/postgres/rows.ts';
import type { SecretOpener } from '../../db/sealing/secretBox.ts';
import { PluginUnavailable, type PluginAccess } from '../../tools/plugin.ts';
import { renewSignIn, type SignedInPlugin } from '../../tools/pluginSignIn.ts';
import { SignInFailed } from '../../tools/signInDiscovery.ts';
import { revokeReplaced } from './revokeReplaced.ts';

// A call may take a minute. A token of a shorter life is renewed at half of it: no use of it would find it fresh.
const RENEW_BEFORE_MS = 90_000;
const RENEW_BEFORE_SHARE = 0.5;
const POLL_MS = 100;
// A hundred years.
const SECONDS_MAX = 100 * 365 * 86_400;
// Longer than the claim of a renewal.
const WAIT_MS = 40_000;

interface TokenSource {
  everywhere: Rows<undefined>;
  /** Decrypts the tokens of workspaces. */
  secrets: SecretOpener;
}

interface Use {
  workspaceId: string;
  plugin: RegisteredPlugin;
}

/**
 * The access of a workspace to a plugin that it has signed in to. Its token is renewed before it expires, by one process at a time. Throws
 * `PluginNeedsCaller` when the workspace has to sign in, now or later.
 */
export async function openAccess(source: TokenSource, use: Use): Promise<PluginAccess> {
  const read = async (refused?: string) => (await readSignIn(source, use, refused)).tokens.access_token;
  await read();
  return { token: () => read(), renew: read };
}

/** Reads the sign-in, and renews it if its token expires or was `refused`. */
async function readSignIn(source: TokenSource, use: Use, refused?: string): Promise<SignedInPlugin> {
  const endMs = performance.now() + WAIT_MS;
  const { workspaceId, plugin } = use;
  while (performance.now() < endMs) {
    const row = await findSignIn(source.everywhere, { workspaceId, pluginId: plugin.id });
    // A token is for the address at which the workspace signed in.
    if (row?.state !== 'connected' || row.url !== plugin.url) throw needOf(plugin);
    const signedIn = openSignIn(source.secrets, row) as SignedInPlugin;
    if (isFresh(row, signedIn) && signedIn.tokens.access_token !== refused) return signedIn;
    const isMine = await claimRenewal(source.everywhere, row);
    const renewed = isMine && (await renew(source, use, { row, signedIn, refused }));
    if (renewed) return renewed;
    if (!isMine) await sleep(POLL_MS);
  }
  throw unavailable(plugin, 'its access is not renewed');
}

type Row = NonNullable<Awaited<ReturnType<typeof findSignIn>>>;

function isFresh({ expiresAt }: Row, { tokens: { expires_in: seconds } }: SignedInPlugin): boolean {
  if (expiresAt === null) return true;
  const shortMs = seconds === undefined ? Infinity : seconds * 1000 * RENEW_BEFORE_SHARE;
  return expiresAt.getTime() - Date.now() > Math.min(RENEW_BEFORE_MS, shortMs);
}

/** The sign-in with new tokens; undefined when it is another one by now, or none. */
async function renew(
  source: TokenSource,
  { workspaceId, plugin }: Use,
  { row, signedIn, refused }: { row: Row; signedIn: SignedInPlugin; refused: string | undefined },
): Promise<SignedInPlugin | undefined> {
  const { everywhere } = source;
  const target = { url: plugin.url, settings: plugin.signIn! };
  try {
    const renewed = await renewSignIn(target, signedIn);
    const place = await endRenewal(everywhere, row, { content: renewed, expiresAt: endOf(renewed) });
    if (place === 'nowhere')
      await revokeReplaced(source, { workspaceId, pluginId: plugin.id }, { plugin: target, signedIn: renewed }).catch(
        (error: unknown) => log.warn('tokens of a replaced sign-in were not revoked', { plugin: plugin.id, error }),
      );
    return place === 'used' ? renewed : undefined;
  } catch (error) {
    const isLive = refused === undefined && row.expiresAt !== null && row.expiresAt.getTime() > Date.now();
    const hasEnded = error instanceof SignInFailed && !isLive;
    const place = await endRenewal(everywhere, row, hasEnded ? 'ended' : 'failed');
    // The workspace has signed in anew, or disconnected: its old token is not used again.
    if (place !== 'used') return undefined;
    if (hasEnded) throw needOf(plugin);
    // The token cannot be renewed but is still valid.
    if (isLive) return signedIn;
    throw unavailable(plugin, 'its access cannot be renewed now');
  }
}

/** When a newly issued access token expires; null: unknown, or so late that no clock has it. */
export const endOf = ({ tokens: { expires_in: seconds } }: SignedInPlugin): Date | null =>
  seconds === undefined || seconds > SECONDS_MAX ? null : new Date(Date.now() + Math.max(0, seconds) * 1000);

const needOf = ({ id: plugin, version }: RegisteredPlugin) =>
  new PluginNeedsCaller({ type: 'plugin_sign_in', plugin, version });

const unavailable = ({ id, version }: RegisteredPlugin, why: string) =>
  new PluginUnavailable(`the plugin ${id} ${version} cannot be used: ${why}`, { pluginId: id });
