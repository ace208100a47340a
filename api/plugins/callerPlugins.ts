import { z } from 'zod';
import { readSecretTimes } from '../../db/plugins/pluginSecrets.ts';
import { listSignIns, type SignInRow } from '../../db/plugins/pluginSignIns.ts';
import { listPlugins } from '../../db/plugins/plugins.ts';
import { readEmails } from '../../db/accounts/members.ts';
import { pageOf, presentPage, type RouteDoc } from '../http/documentedRoute.ts';
import type { Context, Handler } from '../context.ts';
import { notFound } from '../../base/errors/requestErrors.ts';
import type { Services } from '../services.ts';

export const Secret = z.object({
  object: z.literal('plugin.secret'),
  name: z.string(),
  description: z.string(),
  set_at: z.iso.datetime().nullable().describe('Null: it is missing, and runs that need it wait for it.'),
});

export const SignIn = z.object({
  object: z.literal('plugin.sign_in'),
  plugin_id: z.string(),
  status: z
    .enum(['connected', 'ended', 'missing'])
    .describe('`ended`: the plugin no longer accepts it. Runs that need it wait until somebody signs in again.'),
  account: z.string().nullable().describe('The account at the plugin, when its authorization server names it.'),
  connected_by: z.string().nullable().describe('The mail address of the member who signed in.'),
  connected_at: z.iso.datetime().nullable(),
  scope: z.string().nullable(),
  issuer: z.string().nullable().describe('The authorization server.'),
  url: z.string().describe('The page of the console where a member signs in.'),
});

const CallerPlugin = z.object({
  object: z.literal('plugin'),
  plugin_id: z.string(),
  name: z.string(),
  secrets: z.array(Secret),
  sign_in: SignIn.nullable().describe('Null: nobody signs in to it.'),
});

export const callerPluginDoc = {
  tag: 'Agents',
  summary: 'List the plugins that need something of you',
  description: 'Secrets and sign-ins of your workspace, which are never shown.',
  answer: { id: 'CallerPluginPage', schema: pageOf(CallerPlugin) },
} satisfies RouteDoc;

/** What a plugin needs of each workspace, over these versions of it. */
export type NeedyPlugin = ReturnType<typeof needsOf>[number];

function needsOf(plugins: Awaited<ReturnType<typeof listPlugins>>) {
  const byId = Map.groupBy(plugins, ({ id }) => id);
  return [...byId.values()].map((versions) => ({
    id: versions[0]!.id,
    name: versions.at(-1)!.name,
    secrets: [...new Map(versions.flatMap(({ secrets }) => secrets).map((one) => [one.name, one])).values()],
    /** The newest version that callers sign in to. */
    signsInTo: versions
      .filter(({ signIn }) => signIn !== null)
      .toSorted((one, other) => Number(one.createdAt) - Number(other.createdAt))
      .at(-1),
  }));
}

/**
 * The plugin in a request's path; a disabled one only `evenOff`, so that what it was given can be taken back. Throws 404 `plugin_not_found`.
 */
export async function pluginIn(ctx: Context, { db }: Services, { evenOff = false } = {}): Promise<NeedyPlugin> {
  const id = ctx.state.params.plugin_id!;
  const plugins = await listPlugins(db.everywhere);
  const plugin = needsOf(evenOff ? plugins : plugins.filter(isOn)).find((one) => one.id === id);
  if (!plugin) throw notFound(`No plugin with the id '${id}'.`, 'plugin_not_found');
  return plugin;
}

/** `GET /v1/plugins`. */
export function listCallerPlugins(services: Services): Handler {
  return async (ctx) => {
    const plugins = await listPlugins(services.db.everywhere);
    const needy = needsOf(plugins.filter(isOn)).filter(asksCallers);
    const known = new Set(needy.map(({ id }) => id));
    const others = needsOf(plugins).filter((one) => !known.has(one.id) && asksCallers(one));
    const presented = await presentPlugins(ctx, services, [...needy, ...others]);
    ctx.body = presentPage(
      presented.filter((one) => known.has(one.plugin_id) || hasSomething(one)),
      null,
    );
  };
}

const isOn = ({ disabledAt }: { disabledAt: Date | null }): boolean => disabledAt === null;

const asksCallers = ({ secrets, signsInTo }: NeedyPlugin): boolean => secrets.length > 0 || signsInTo !== undefined;

// Of a disabled plugin, what it still has of the workspace is shown.
const hasSomething = ({ secrets, sign_in: signIn }: z.output<typeof CallerPlugin>): boolean =>
  (signIn !== null && signIn.status !== 'missing') || secrets.some(({ set_at: setAt }) => setAt !== null);

/** Plugins in the callers' form. */
export async function presentPlugins(
  ctx: Context,
  { db, config }: Services,
  plugins: NeedyPlugin[],
): Promise<z.output<typeof CallerPlugin>[]> {
  const rows = db.write(ctx.state.key.workspaceId);
  const [times, signIns] = [await readSecretTimes(rows), await listSignIns(rows)];
  const emails = await readEmails(
    db.everywhere,
    signIns.map(({ userId }) => userId),
  );
  return plugins.map(({ id, name, secrets, signsInTo }) => {
    const row = signIns.find(({ pluginId, url }) => pluginId === id && url === signsInTo?.url);
    const email = row ? (emails.get(row.userId) ?? null) : null;
    return {
      object: 'plugin' as const,
      plugin_id: id,
      name,
      secrets: secrets.map((secret) => ({
        object: 'plugin.secret' as const,
        name: secret.name,
        description: secret.description,
        set_at: times.get(`${id} ${secret.name}`)?.toISOString() ?? null,
      })),
      sign_in: signsInTo
        ? { ...presentSignIn(row, email), plugin_id: id, url: `${config.publicUrl}/plugins?plugin=${id}` }
        : null,
    };
  });
}

function presentSignIn(
  row: SignInRow | undefined,
  email: string | null,
): Omit<z.output<typeof SignIn>, 'plugin_id' | 'url'> {
  const shown = row?.state === 'revoking' ? undefined : row;
  return {
    object: 'plugin.sign_in',
    status: (shown?.state as 'connected' | 'ended' | undefined) ?? 'missing',
    account: shown?.account ?? null,
    connected_by: shown ? email : null,
    connected_at: shown?.connectedAt.toISOString() ?? null,
    scope: shown?.scope ?? null,
    issuer: shown?.issuer ?? null,
  };
}
