import {
  disablePlugin,
  listPlugins,
  registerPlugin,
  sealPlugins,
  type SignInSettings,
} from '../../db/plugins/plugins.ts';
import type { DeclaredSecret } from '../../db/entities/plugin.ts';
import { InvalidArgumentError, Option } from 'commander';
import { type AdminCommand, tableOf, textOption, UsageError } from './command.ts';

const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const SECRET = /^([a-z][a-z0-9_]{0,63})=([\w-]{1,100}):\s*(\S*\s?\{\}\S*)$/;
const HEADER = /^([\w-]{1,100}):\s*(\S.*)$/;

const idAndVersion = [
  new Option('--id <id>', 'id of the plugin').argParser(parseId).makeOptionMandatory(),
  textOption('--version <version>', 'version of the plugin').makeOptionMandatory(),
];

interface IdAndVersion {
  id: string;
  version: string;
}

interface NewPlugin extends IdAndVersion {
  name: string;
  url: string;
  header?: Record<string, string>;
  secret?: DeclaredSecret[];
  signIn?: boolean;
  signInIssuer?: string;
  signInClientId?: string;
  signInClientSecret?: string;
  signInScope?: string;
}

export const addPluginCommand: AdminCommand<NewPlugin> = {
  words: 'plugins add',
  summary: 'Registers an MCP server (streamable HTTP) whose tools agents may use, or changes what is registered.',
  options: [
    ...idAndVersion,
    textOption('--name <name>', 'name for people').makeOptionMandatory(),
    new Option('--url <url>', 'address of the server').argParser(parseUrl).makeOptionMandatory(),
    new Option(
      '--secret <secret>',
      'secret that each caller sets, "name=header: template with {}"; may be repeated',
    ).argParser(addSecret),
    new Option('--sign-in', 'callers sign in (OAuth 2.1, by the authorization rules of MCP)'),
    new Option('--sign-in-issuer <url>', 'the only authorization server; may be private').argParser(parseUrl),
    textOption('--sign-in-client-id <id>', 'of a client registered there, where clients do not register themselves'),
    textOption('--sign-in-client-secret <secret>', 'of that client'),
    textOption('--sign-in-scope <scope>', 'what callers are asked for, instead of what the plugin names'),
    new Option('--header <header>', 'header of every call, "name: value"; may be repeated').argParser(addHeader),
  ],
  async run({ db, config }, { header: headers = {}, secret: secrets = [], id, version, name, url, ...options }) {
    const signIn = signInOf(options, headers);
    const plugin = { id, version, name, url };
    const registered = { ...plugin, headers, secrets, ...(signIn && { signIn }) };
    await registerPlugin(db.everywhere, config.pluginKeys(), registered);
    return { text: `Registered ${id} ${version} "${name}" at ${url}.`, json: plugin };
  },
};

function signInOf(options: Partial<NewPlugin>, headers: Record<string, string>): SignInSettings | undefined {
  const { signIn, signInIssuer: issuer, signInClientId: clientId, signInClientSecret: clientSecret } = options;
  const { signInScope: scope } = options;
  const chosen = { issuer, clientId, clientSecret, scope };
  const settings = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
  if (!signIn) {
    if (Object.keys(settings).length > 0) throw new UsageError('--sign-in-… needs --sign-in');
    return undefined;
  }
  if (clientSecret !== undefined && clientId === undefined)
    throw new UsageError('--sign-in-client-secret needs --sign-in-client-id');
  if (headers.authorization !== undefined) throw new UsageError('--sign-in sets the header authorization itself');
  return settings;
}

export const listPluginsCommand: AdminCommand = {
  words: 'plugins list',
  summary: 'Lists the registered plugins.',
  async run({ db }) {
    const plugins = await listPlugins(db.everywhere);
    const heading = ['ID', 'VERSION', 'NAME', 'URL', 'HEADERS', 'STATE'];
    const cells = plugins.map(({ id, version, name, url, headers, disabledAt }) => {
      const state = disabledAt ? `disabled ${disabledAt.toISOString()}` : 'active';
      return [id, version, name, url, namesOf(headers).join(',') || '-', state];
    });
    const json = plugins.map(({ id, version, name, url, headers, createdAt, disabledAt }) => ({
      id,
      version,
      name,
      url,
      header_names: namesOf(headers),
      created_at: createdAt.toISOString(),
      disabled_at: disabledAt?.toISOString() ?? null,
    }));
    return { text: tableOf([heading, ...cells]), json };
  },
};

// The values may be credentials.
const namesOf = (headers: object): string[] => Object.keys(headers).toSorted();

export const disablePluginCommand: AdminCommand<IdAndVersion> = {
  words: 'plugins disable',
  summary: 'Disables a plugin: agents that name it can neither be published nor use it.',
  options: idAndVersion,
  async run({ db }, plugin) {
    const { id, version } = plugin;
    if (!(await disablePlugin(db.everywhere, plugin))) throw new Error(`There is no active plugin ${id} ${version}.`);
    return { text: `Disabled ${id} ${version}.`, json: plugin };
  },
};

export const sealPluginsCommand: AdminCommand = {
  words: 'plugins seal',
  summary:
    "Encrypts the plugins' credentials with the first key of PLUGIN_SECRETS_KEY: plain ones, and those of older keys.",
  async run({ db, config }) {
    const sealed = await sealPlugins(db.everywhere, config.pluginKeys(), { isRotation: true });
    return { text: `Sealed the credentials of ${sealed} plugins.`, json: { sealed } };
  },
};

function parseId(id: string): string {
  if (ID.test(id)) return id;
  throw new InvalidArgumentError('It must be lowercase letters and digits joined by hyphens.');
}

function addSecret(line: string, secrets: DeclaredSecret[] = []): DeclaredSecret[] {
  const [, name, header, template] = SECRET.exec(line.trim()) ?? [];
  if (name === undefined) throw new UsageError('--secret must be like "api_key=authorization: Bearer {}"');
  const description = `Sent to the plugin in the header ${header!.toLowerCase()}.`;
  return [...secrets, { name, header: header!.toLowerCase(), template: template!, description }];
}

function parseUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new InvalidArgumentError('It must be an address like https://tools.example/mcp.');
}

// The value may be a secret, and Commander's own error would repeat it.
function addHeader(line: string, headers: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = HEADER.exec(line.trim()) ?? [];
  if (name === undefined) throw new UsageError('--header must be like "authorization: Bearer …"');
  return { ...headers, [name.toLowerCase()]: value! };
}
