import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { startSite, type Site } from './webStage.ts';

/** The faults of a test's servers. */
interface Oddities {
  /** Clients are registered by the operator. */
  clients?: { client_id: string; client_secret: string }[];
  challengeMethods?: string[] | null;
  /** Replaces the servers in the plugin's metadata. */
  authorizationServers?: string[];
  resource?: string;
  expiresIn?: number;
}

interface Client {
  client_id: string;
  client_secret: string;
  redirect_uris?: string[];
}

interface Grant {
  client: string;
  resource: string;
  scope: string;
  account: string;
}

export type SignInServer = Awaited<ReturnType<typeof startSignInServer>>;

/**
 * A plugin (an MCP server on the protocol's own library) whose callers sign in, and its authorization server, on two sockets: OAuth 2.1
 * with PKCE, registration, rotation of refresh tokens, resource indicators and revocation.
 */
export async function startSignInServer(oddities: Oddities = {}) {
  const clients = new Map<string, Client>((oddities.clients ?? []).map((one) => [one.client_id, one]));
  const codes = new Map<string, Grant & { challenge: string; redirectUri: string }>();
  const access = new Map<string, Grant>();
  const refresh = new Map<string, Grant>();
  const seen = { authorizations: [] as URL[], renewals: 0, revoked: [] as string[], calls: [] as string[] };
  const settings = { expiresIn: oddities.expiresIn ?? 3600, onRenewal: async () => {}, onExchange: async () => {} };
  const secret = () => `canary${randomBytes(12).toString('hex')}`;

  const plugin: Site = await startSite((request, response) => void answer(request, response, servePlugin));
  const server: Site = await startSite((request, response) => void answer(request, response, serveAuthorization));
  const url = `http://127.0.0.1:${plugin.port}/mcp`;
  const issuer = `http://127.0.0.1:${server.port}`;

  const mcp = createMcpHandler(() => {
    const made = new McpServer({ name: 'notes', version: '1' });
    const input = z.object({ text: z.string() });
    made.registerTool('keep', { description: 'Keeps a note.', inputSchema: input }, ({ text }) => {
      seen.calls.push(text);
      return { content: [{ type: 'text' as const, text: `Kept: ${text}` }] };
    });
    return made;
  });

  async function servePlugin(request: IncomingMessage, body: Buffer): Promise<Response> {
    const { pathname } = new URL(request.url!, url);
    if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
      const resource = oddities.resource ?? url;
      const authorization_servers = oddities.authorizationServers ?? [issuer];
      return json({ resource, authorization_servers, scopes_supported: ['notes'] });
    }
    if (pathname !== '/mcp') return new Response('', { status: 404 });
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (access.get(token)?.resource !== url) {
      const metadata = `http://127.0.0.1:${plugin.port}/.well-known/oauth-protected-resource/mcp`;
      const challenge = `Bearer error="invalid_token", resource_metadata="${metadata}", scope="notes"`;
      return new Response('', { status: 401, headers: { 'www-authenticate': challenge } });
    }
    return mcp.fetch(webRequest(request, url, body));
  }

  async function serveAuthorization(request: IncomingMessage, body: Buffer): Promise<Response> {
    const { pathname } = new URL(request.url!, issuer);
    if (pathname === '/.well-known/oauth-authorization-server') return json(metadata());
    if (pathname === '/register' && !oddities.clients) return json(register(JSON.parse(body.toString())), 201);
    if (pathname === '/authorize') return page(decide(new URL(request.url!, issuer).href));
    const form = new URLSearchParams(body.toString());
    const client = clientOf(request, form);
    if (!client) return json({ error: 'invalid_client' }, 401);
    if (pathname === '/revoke') {
      seen.revoked.push(form.get('token')!);
      refresh.delete(form.get('token')!);
      return new Response('');
    }
    if (pathname !== '/token') return new Response('', { status: 404 });
    const isRenewal = form.get('grant_type') === 'refresh_token';
    await (isRenewal ? settings.onRenewal() : settings.onExchange());
    const grant = isRenewal ? renewed(form) : exchanged(form, client);
    return grant ? json(tokensFor(grant)) : json({ error: 'invalid_grant' }, 400);
  }

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    revocation_endpoint: `${issuer}/revoke`,
    ...(!oddities.clients && { registration_endpoint: `${issuer}/register` }),
    response_types_supported: ['code'],
    authorization_response_iss_parameter_supported: true,
    ...(oddities.challengeMethods !== null && {
      code_challenge_methods_supported: oddities.challengeMethods ?? ['S256'],
    }),
  });

  function register(asked: { redirect_uris: string[] }): object {
    const client = { ...asked, client_id: `client-${clients.size}`, client_secret: secret() };
    clients.set(client.client_id, client);
    return client;
  }

  function clientOf(request: IncomingMessage, form: URLSearchParams): Client | undefined {
    const basic = Buffer.from(request.headers.authorization?.slice('Basic '.length) ?? '', 'base64').toString();
    const [id, given] = basic ? basic.split(':') : [form.get('client_id') ?? '', form.get('client_secret')];
    const client = clients.get(id);
    return client?.client_secret === given ? client : undefined;
  }

  function exchanged(form: URLSearchParams, client: Client): Grant | undefined {
    const code = codes.get(form.get('code')!);
    codes.delete(form.get('code')!);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isGood =
      code?.client === client.client_id &&
      code.challenge === challenge &&
      code.redirectUri === form.get('redirect_uri') &&
      code.resource === form.get('resource');
    return isGood ? code : undefined;
  }

  function renewed(form: URLSearchParams): Grant | undefined {
    seen.renewals += 1;
    const grant = refresh.get(form.get('refresh_token')!);
    refresh.delete(form.get('refresh_token')!);
    return grant?.resource === form.get('resource') ? grant : undefined;
  }

  function tokensFor(grant: Grant): object {
    const [accessToken, refreshToken] = [secret(), secret()];
    access.set(accessToken, grant);
    refresh.set(refreshToken, grant);
    const claims = Buffer.from(JSON.stringify({ sub: '1', email: grant.account })).toString('base64url');
    return {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'Bearer',
      expires_in: settings.expiresIn,
      scope: grant.scope,
      id_token: `e30.${claims}.`,
    };
  }

  /** The person's action on the authorization server's page. Returns the address to which it sends the browser. */
  function decide(authorizationUrl: string, { account = 'ada@notes.example', isGranted = true } = {}): URL {
    const asked = new URL(authorizationUrl);
    seen.authorizations.push(asked);
    const { searchParams: sent } = asked;
    const back = new URL(sent.get('redirect_uri')!);
    back.searchParams.set('state', sent.get('state') ?? '');
    back.searchParams.set('iss', issuer);
    if (!isGranted) {
      back.searchParams.set('error', 'access_denied');
      return back;
    }
    const code = secret();
    codes.set(code, {
      client: sent.get('client_id')!,
      resource: sent.get('resource') ?? '',
      scope: sent.get('scope') ?? '',
      challenge: sent.get('code_challenge_method') === 'S256' ? sent.get('code_challenge')! : '',
      redirectUri: sent.get('redirect_uri')!,
      account,
    });
    back.searchParams.set('code', code);
    return back;
  }

  return {
    url,
    issuer,
    seen,
    settings,
    clients,
    decide,
    hits: { plugin: plugin.hits, server: server.hits },
    /** All valid tokens. */
    tokens: () => ({ access: [...access.keys()], refresh: [...refresh.keys()] }),
    /** The plugin refuses all access tokens from now on; refresh tokens still work. */
    endAccess: () => access.clear(),
    /** The account's owner withdraws the access. */
    withdraw: () => {
      access.clear();
      refresh.clear();
    },
    stop: async () => void (await Promise.all([plugin.stop(), server.stop()])),
  };
}

const page = (allow: URL) =>
  new Response(
    `<link rel="icon" href="data:,"><h1>Notes</h1><a href="${allow.href.replaceAll('&', '&amp;')}">Allow</a>`,
    {
      headers: { 'content-type': 'text/html' },
    },
  );

const json = (body: object, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

const webRequest = ({ method, headers }: IncomingMessage, url: string, body: Buffer): Request =>
  new Request(url, {
    method: method!,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ...(method === 'POST' && { body: new Uint8Array(body) }),
  });

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  serve: (request: IncomingMessage, body: Buffer) => Promise<Response>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { status, headers, body } = await serve(request, Buffer.concat(chunks));
  response.writeHead(status, Object.fromEntries(headers));
  if (body) Readable.fromWeb(body).pipe(response);
  else response.end();
}
