import { z } from 'zod';
import { deletePluginSecrets, setPluginSecrets } from '../../db/plugins/pluginSecrets.ts';
import { supplyRuns } from '../../db/runs/states/supplyRuns.ts';
import { body } from '../body/body.ts';
import { parseWith } from '../body/parseWith.ts';
import { pageOf, presentPage, type RouteDoc } from '../http/documentedRoute.ts';
import { actorOf, type Context, type Handler } from '../context.ts';
import { ApiError } from '../../base/errors/apiError.ts';
import { retryIn } from '../../base/errors/limitErrors.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import { type Keyed, scope } from '../guard/key.ts';
import { memberOr } from '../guard/session.ts';
import { get, put, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { pluginIn, presentPlugins, Secret, type NeedyPlugin } from './callerPlugins.ts';
import { record } from '../../base/record.ts';

// Shorter secrets could not be told from other words in a plugin's answers.
const CHARACTERS_MIN = 8;
const CHARACTERS_MAX = 4_096;

const SecretValues = z.strictObject({
  secrets: record(
    z.string(),
    z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
      .min(CHARACTERS_MIN)
      .max(CHARACTERS_MAX),
  ),
});

const about = {
  list: {
    tag: 'Agents',
    summary: 'List the secrets that a plugin needs of you',
    description: 'Values are never shown.',
    answer: { id: 'PluginSecretPage', schema: pageOf(Secret) },
  },
  set: {
    tag: 'Agents',
    summary: 'Set your secrets for a plugin',
    description:
      'Runs of your workspace then call the plugin with them, in agents of any publisher; those that wait for ' +
      'them go on. They are sealed: only workers can read them, and neither ' +
      'agents nor their publishers see them.',
    input: { id: 'PluginSecretValues', schema: SecretValues, example: { secrets: { api_key: 'EXAMPLE-0001' } } },
    answer: { id: 'PluginSecretPage', schema: pageOf(Secret) },
    errors: [503],
  },
  remove: {
    tag: 'Agents',
    summary: 'Delete your secrets for a plugin',
    answer: { id: 'PluginSecretPage', schema: pageOf(Secret) },
  },
} satisfies Record<string, RouteDoc>;

/** A workspace's secrets for the plugins of the agents that it runs. */
export function pluginSecretRoutes(services: Services, keyed: Keyed): Route[] {
  const path = '/v1/plugins/:plugin_id/secrets';
  const manager: Keyed = (...checks) => keyed(scope('manage'), ...checks);
  return [
    get(path, keyed(memberOr('manage')), listSecrets(services), about.list),
    put(path, manager(body(parseWith(SecretValues, 'body'))), putSecrets(services), about.set),
    remove(path, manager(), removeSecrets(services), about.remove),
  ];
}

/** `GET /v1/plugins/{plugin_id}/secrets`. */
function listSecrets(services: Services): Handler {
  return async (ctx) => present(ctx, services, await pluginIn(ctx, services, { evenOff: true }));
}

/** `PUT /v1/plugins/{plugin_id}/secrets`: sets the sent secrets. 422 for a name that the plugin does not declare. */
function putSecrets(services: Services): Handler<z.output<typeof SecretValues>> {
  return async (ctx) => {
    const needy = await pluginIn(ctx, services);
    const { secrets } = ctx.state.input;
    const names = needy.secrets.map(({ name }) => name);
    const unknown = Object.keys(secrets).find((name) => !names.includes(name));
    if (unknown !== undefined) {
      const msg = `This plugin has no such secret. It has: ${names.join(', ') || 'none'}.`;
      throw validationErrorAt(['body', 'secrets', unknown.slice(0, 100)], msg);
    }
    const rows = services.db.write(ctx.state.key.workspaceId);
    const plugin = needy.id;
    if (!(await setPluginSecrets(rows, actorOf(ctx), { pluginId: plugin, values: secrets })))
      throw secretsUnavailable();
    const given = {
      workspaceId: rows.workspaceId,
      type: 'plugin_secret',
      plugin,
      secrets: Object.keys(secrets),
    } as const;
    for (const run of await supplyRuns(services.db, given)) services.runStarter.resume(run);
    await present(ctx, services, needy);
  };
}

/** `DELETE /v1/plugins/{plugin_id}/secrets`. */
function removeSecrets(services: Services): Handler {
  return async (ctx) => {
    const needy = await pluginIn(ctx, services, { evenOff: true });
    await deletePluginSecrets(services.db.write(ctx.state.key.workspaceId), actorOf(ctx), needy.id);
    await present(ctx, services, needy);
  };
}

async function present(ctx: Context, services: Services, plugin: NeedyPlugin): Promise<void> {
  const [presented] = await presentPlugins(ctx, services, [plugin]);
  ctx.body = presentPage(presented!.secrets, null);
}

const secretsUnavailable = () =>
  new ApiError({
    status: 503,
    code: 'secrets_unavailable',
    message: 'Secrets cannot be sealed yet, because no worker has started. Try again in a few seconds.',
    headers: retryIn(5000),
  });
