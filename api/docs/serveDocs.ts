import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Handler } from '../context.ts';
import { namesTag } from '../http/answer.ts';
import type { CatalogSnapshot } from '../../db/catalog/catalog.ts';
import type { Services } from '../services.ts';
import type { DocumentedRoute } from '../http/documentedRoute.ts';

/** A file to send: its bytes by `content-encoding`. */
interface Served {
  type: string;
  etag: string;
  bytes: Record<'br' | 'gzip' | 'identity', Buffer>;
  contentSecurityPolicy?: string;
}

type Files = Map<string, () => Promise<Served>>;

// The best quality would save 3 % more of 320 KB, but takes fifteen times as long.
const BROTLI_QUALITY = 6;

const MISSING = '404';
const INDEX = '/docs';

/**
 * `GET /openapi.json`, `/schemas/agent.json`, and `/docs` with its pages: the route table as documents for programs and as pages for
 * people. Written at the first request after the start or a change of the catalogue, because that takes a tenth of the start time; each
 * file is compressed at its first request and then cached.
 */
export function serveDocs(
  { config, catalog, engines }: Services,
  readRoutes: () => Promise<readonly DocumentedRoute[]>,
): Handler {
  let written: { of: CatalogSnapshot; files: Promise<Files> } | undefined;
  return async (ctx) => {
    // Its prices and models are those of the catalogue now.
    const snapshot = catalog.at(Date.now());
    if (written?.of !== snapshot) written = { of: snapshot, files: write(snapshot) };
    const files = await written.files;
    const path = ctx.path.replace(/(?<=.)\/$/, '');
    const file = files.get(path) ?? files.get(MISSING)!;
    ctx.status = files.has(path) ? 200 : 404;
    send(ctx, await file());
  };

  async function write({ models }: CatalogSnapshot): Promise<Files> {
    const { writeSite } = await import('./pages/site.ts');
    const routes = await readRoutes();
    const thirdParties = engines?.thirdParties;
    const site = await writeSite(routes, { ...config, models, thirdParties, baseUrl: config.publicUrl });
    const { contentSecurityPolicy } = site;
    const page = (html: string) => once(async () => ({ ...(await served(HTML, html)), contentSecurityPolicy }));
    const pages = new Map([...site.pages].map(([path, html]) => [path, page(html)]));
    return new Map([
      ...pages,
      // Truncated addresses show the index.
      ['/docs/guides', pages.get(INDEX)!],
      ['/docs/reference', pages.get(INDEX)!],
      [MISSING, page(site.missing)],
      ['/openapi.json', once(() => served('application/json; charset=utf-8', site.document))],
      ['/schemas/agent.json', once(() => served('application/schema+json; charset=utf-8', site.agentFile))],
      ['/docs/search.js', once(() => served(SCRIPT, site.script))],
      ['/docs/entries.js', once(() => served(SCRIPT, site.entries))],
    ]);
  }
}

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => (made ??= make());
}

async function served(type: string, text: string): Promise<Served> {
  const identity = Buffer.from(text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  };
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params }),
    promisify(gzip)(identity, { level: 9 }),
  ]);
  const digest = hash('sha256', identity, 'base64url').slice(0, 22);
  // Weak, because all encodings of the page share it.
  return { type, etag: `W/"${digest}"`, bytes: { br, gzip: zipped, identity } };
}

function send(ctx: Context, { type, etag, bytes, contentSecurityPolicy }: Served): void {
  ctx.set({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
  if (contentSecurityPolicy !== undefined) ctx.set('content-security-policy', contentSecurityPolicy);
  if (ctx.status === 200 && namesTag(ctx.get('if-none-match'), etag)) {
    ctx.status = 304;
    ctx.body = null;
    return;
  }
  // The smallest encoding that the client accepts, whatever its order.
  const encoding = (['br', 'gzip'] as const).find((name) => ctx.acceptsEncodings(name)) ?? 'identity';
  const body = bytes[encoding];
  if (encoding !== 'identity') ctx.set('content-encoding', encoding);
  ctx.set({ 'content-type': type, 'content-length': String(body.length) });
  // Koa would send bytes as a download.
  ctx.respond = false;
  ctx.res.end(ctx.method === 'HEAD' ? undefined : body);
}
