import { disablePlugin, listPlugins, registerPlugin, sealPlugins } from '../db/agents/plugins.ts';
import type { Command, Input } from './command.ts';
import { UsageError } from './options.ts';
import { tableOf } from './table.ts';

const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const HEADER = /^([\w-]{1,100}):\s*(\S.*)$/;

const ID_AND_VERSION = { id: { type: 'string' }, version: { type: 'string' } } as const;

export const addPluginCommand: Command = {
  words: 'plugins add',
  usage: '--id ID --version VERSION --name NAME --url URL [--header "name: value"]...',
  summary: 'Registers an MCP server (streamable HTTP) whose tools agents may use, or changes what is registered.',
  options: {
    ...ID_AND_VERSION,
    name: { type: 'string' },
    url: { type: 'string' },
    header: { type: 'string', multiple: true },
  },
  async run({ db, config, options }) {
    const plugin = { ...nameOf(options), name: options.requiredText('name'), url: urlOf(options) };
    await registerPlugin(db.pool, config.pluginKeys(), { ...plugin, headers: headersOf(options) });
    const { id, version, name, url } = plugin;
    return { text: `Registered ${id} ${version} "${name}" at ${url}.`, json: plugin };
  },
};

export const listPluginsCommand: Command = {
  words: 'plugins list',
  usage: '',
  summary: 'Lists the registered plugins.',
  options: {},
  async run({ db }) {
    const plugins = await listPlugins(db.pool);
    const heading = ['ID', 'VERSION', 'NAME', 'URL', 'HEADERS', 'STATE'];
    const cells = plugins.map(({ id, version, name, url, headerNames, disabledAt }) => {
      const state = disabledAt ? `disabled ${disabledAt.toISOString()}` : 'active';
      return [id, version, name, url, headerNames.join(',') || '-', state];
    });
    const json = plugins.map(({ id, version, name, url, headerNames, createdAt, disabledAt }) => ({
      id,
      version,
      name,
      url,
      header_names: headerNames,
      created_at: createdAt.toISOString(),
      disabled_at: disabledAt?.toISOString() ?? null,
    }));
    return { text: tableOf([heading, ...cells]), json };
  },
};

export const disablePluginCommand: Command = {
  words: 'plugins disable',
  usage: '--id ID --version VERSION',
  summary: 'Switches a plugin off: agents that name it can neither be published nor use it.',
  options: ID_AND_VERSION,
  async run({ db, options }) {
    const plugin = nameOf(options);
    const { id, version } = plugin;
    if (!(await disablePlugin(db.pool, plugin))) throw new Error(`There is no active plugin ${id} ${version}.`);
    return { text: `Disabled ${id} ${version}.`, json: plugin };
  },
};

export const sealPluginsCommand: Command = {
  words: 'plugins seal',
  usage: '',
  summary:
    "Seals the plugins' credentials with the first key of PLUGIN_SECRETS_KEY: plain ones, and those of older keys.",
  options: {},
  async run({ db, config }) {
    const sealed = await sealPlugins(db.pool, config.pluginKeys(), { isRotation: true });
    return { text: `Sealed the credentials of ${sealed} plugins.`, json: { sealed } };
  },
};

function nameOf(options: Input['options']): { id: string; version: string } {
  const id = options.requiredText('id');
  if (!ID.test(id)) throw new UsageError(`--id must be lowercase letters and digits joined by hyphens, not "${id}"`);
  return { id, version: options.requiredText('version') };
}

function urlOf(options: Input['options']): string {
  const url = options.requiredText('url');
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new UsageError(`--url must be an address like https://tools.example/mcp, not "${url}"`);
}

function headersOf(options: Input['options']): Record<string, string> {
  return Object.fromEntries(
    options.texts('header').map((line) => {
      const [, name, value] = HEADER.exec(line) ?? [];
      // The value may be a secret: it is not repeated.
      if (name === undefined) throw new UsageError('--header must be like "authorization: Bearer …"');
      return [name.toLowerCase(), value!];
    }),
  );
}
