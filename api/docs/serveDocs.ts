import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Handler } from '../context.ts';
import { namesTag } from '../http/answer.ts';
import type { Services } from '../services.ts';
import type { DocumentedRoute } from '../http/documentedRoute.ts';

/** A file to send: its bytes by `content-encoding`. */
interface Served {
  type: string;
  etag: string;
  bytes: Record<'br' | 'gzip' | 'identity', Buffer>;
  contentSecurityPolicy?: string;
}

// The best quality would save 3 % more of 320 KB, but takes fifteen times as long.
const BROTLI_QUALITY = 6;

/**
 * `GET /openapi.json`, `GET /docs` and its script: the route table as a document for programs and as a page for people. Built and
 * compressed at the first request, because that takes a tenth of the start time, and then cached.
 */
export function serveDocs(
  { config, catalog, engines }: Services,
  routes: readonly DocumentedRoute[],
): Record<'document' | 'page' | 'script', Handler> {
  let writing: Promise<Record<'document' | 'page' | 'script', Served>> | undefined;
  const written = () => (writing ??= write());
  return {
    document: async (ctx) => send(ctx, (await written()).document),
    page: async (ctx) => send(ctx, (await written()).page),
    script: async (ctx) => send(ctx, (await written()).script),
  };

  async function write() {
    const { writeDocs } = await import('./pages/page.ts');
    const docs = writeDocs(routes, { ...config, models: catalog.models, baseUrl: config.publicUrl });
    const { contentSecurityPolicy } = docs;
    return {
      document: await served('application/json; charset=utf-8', docs.document),
      page: { ...(await served('text/html; charset=utf-8', docs.html)), contentSecurityPolicy },
      script: await served('text/javascript; charset=utf-8', docs.script),
    };
  }
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
  const digest = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  // Weak, because all encodings of the page share it.
  return { type, etag: `W/"${digest}"`, bytes: { br, gzip: zipped, identity } };
}

function send(ctx: Context, { type, etag, bytes, contentSecurityPolicy }: Served): void {
  ctx.set({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
  if (contentSecurityPolicy !== undefined) ctx.set('content-security-policy', contentSecurityPolicy);
  if (namesTag(ctx.get('if-none-match'), etag)) {
    ctx.status = 304;
    ctx.body = null;
    return;
  }
  // The smallest encoding that the client accepts, whatever its order.
  const encoding = (['br', 'gzip'] as const).find((name) => ctx.acceptsEncodings(name)) ?? 'identity';
  const body = bytes[encoding];
  if (encoding !== 'identity') ctx.set('content-encoding', encoding);
  ctx.set({ 'content-type': type, 'content-length': String(body.length) });
  ctx.status = 200;
  // Koa would send bytes as a download.
  ctx.respond = false;
  ctx.res.end(ctx.method === 'HEAD' ? undefined : body);
}
