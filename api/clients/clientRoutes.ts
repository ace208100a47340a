import { notFound } from '../../base/errors/requestErrors.ts';
import type { Context, Handler } from '../context.ts';
import { namesTag } from '../http/answer.ts';
import { get, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { type BuiltClient, type Language, readClients } from './builtClients.ts';
import { clientDocs } from './clientDocs.ts';

/** What a build needs beyond the sources. */
const NEEDS: Record<Language, string> = { typescript: 'npm', python: 'Python 3.10 or newer with pip' };
// Names without a version, for commands that are written down.
const ALIASES: Record<string, Language> = { 'ledgerline.tgz': 'typescript' };
const TYPES: Record<Language, string> = { typescript: 'application/gzip', python: 'application/zip' };
const INSTALLERS: Record<Language, string> = { typescript: 'npm install', python: 'pip install' };

type Read = () => Promise<BuiltClient[]>;

/** The packages that customers install, from the folder of their build. No key is needed. */
export function clientRoutes({ config }: Pick<Services, 'config'>): Route[] {
  const read = readClients(config.clientsDir);
  return [
    get('/clients', [], listClients(read, config.publicUrl), clientDocs.list),
    get('/clients/:file', [], retrieveClient(read), clientDocs.load),
  ];
}

function listClients(read: Read, publicUrl: string): Handler {
  return async (ctx) => {
    const clients = await read();
    const languages = Object.keys(NEEDS) as Language[];
    ctx.set('cache-control', 'no-cache');
    ctx.body = {
      object: 'list',
      data: clients.map((client) => present(client, publicUrl)),
      absent: languages
        .filter((language) => clients.every((client) => client.language !== language))
        .map((language) => ({ language, reason: reasonOf(language) })),
    };
  };
}

function present({ bytes, ...client }: BuiltClient, publicUrl: string) {
  const url = new URL(`/clients/${client.file}`, publicUrl).href;
  return { ...client, url, install: `${INSTALLERS[client.language]} ${url}`, bytes: bytes.length };
}

const reasonOf = (language: Language): string =>
  `It is not built on this installation: \`npm start\` and \`npm run clients\` build it, which needs ${NEEDS[language]}.`;

function retrieveClient(read: Read): Handler {
  return async (ctx) => {
    const { file } = ctx.state.params as { file: string };
    const clients = await read();
    const client = clients.find((one) => one.file === file || one.language === ALIASES[file]);
    if (!client) throw missing(file, clients);
    send(ctx, client, file);
  };
}

function send(ctx: Context, client: BuiltClient, file: string): void {
  const etag = `"${client.sha256}"`;
  // Not immutable: during development one version has many builds.
  ctx.set({ etag, 'cache-control': 'public, no-cache' });
  if (namesTag(ctx.get('if-none-match'), etag)) {
    ctx.status = 304;
    ctx.body = null;
    return;
  }
  ctx.attachment(file);
  ctx.set('content-type', TYPES[client.language]);
  ctx.body = client.bytes;
}

function missing(file: string, clients: BuiltClient[]) {
  const language: Language | undefined = file.endsWith('.whl')
    ? 'python'
    : file.endsWith('.tgz')
      ? 'typescript'
      : undefined;
  const built = clients.find((client) => client.language === language);
  if (language && !built) return notFound(`There is no '${file}'. ${reasonOf(language)}`, 'client_not_built');
  const here = clients.map((client) => client.file).join(' and ');
  return notFound(
    `There is no '${file}' here, but ${here || 'nothing that is built'}: see GET /clients.`,
    'client_not_found',
  );
}
