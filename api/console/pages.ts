import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiConfig } from '../config.ts';
import type { Context } from '../context.ts';
import { FONT_PATH, ICON_PATH, plainPagePolicy, renderPlainPage } from '../../base/plainPage.ts';
import { escapeHtml } from '../../base/web.ts';
import { cookiePrefixOf, sessionTokenOf } from '../guard/cookie.ts';
import { cameWithoutTls } from '../http/forwarded.ts';
import { listPageFiles, sendPageFile, type PageFiles } from './pageFiles.ts';

/** The build's placeholder for each answer's nonce. */
const NONCE = '__CSP_NONCE__';
// Its placeholders for the title in the frame, and for the frame's kind.
const TITLE = '__PAGE_TITLE__';
const FRAME = '__FRAME__';
// Its placeholder for the providers of the sign-in's form, which then needs no request and does not move.
const SIGN_IN = '__SIGN_IN__';
const ASSETS = '/assets/';
// Files whose names do not change with their content.
const NAMED_FILES = new Set([ICON_PATH, FONT_PATH]);
const FOR_A_YEAR = 'public,max-age=31536000,immutable';
const FOR_A_DAY = 'public,max-age=86400';
// Paths for programs: an unknown path is an error there, not a page.
const OF_PROGRAMS = /^\/(v1|textapi|voiceapi|platform|console\/v1|assets)(\/|$)/;

type PagesConfig = Pick<ApiConfig, 'pagesDir' | 'publicUrl' | 'signIn'>;

/** One build of the pages: its document, and its files, whose names contain their hash. */
interface Build {
  mtimeMs: number;
  html: string;
  pages: ListedPage[];
  files: PageFiles;
}

/** A page's address, with `$name` for a part that varies, and its title. */
interface ListedPage {
  path: string;
  title: string;
  isPublic?: boolean;
}

/**
 * The console's pages from the build's folder. Returns a handler for requests without a route, which resolves with false if the request is
 * not for a page. All pages share one document, which selects the page by its address.
 */
export function createPages({ pagesDir, publicUrl, signIn }: PagesConfig): (ctx: Context) => Promise<boolean> {
  const { hostname, port, origin } = new URL(publicUrl);
  const otherHost = hostname === 'localhost' ? `127.0.0.1:${port}` : undefined;
  const cookiePrefix = cookiePrefixOf(publicUrl);
  const providers = escapeHtml(JSON.stringify(signIn.map(({ id, name }) => ({ id, name }))));
  let build: Build | undefined;

  return async (ctx) => {
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (isRead && (ctx.path === '/robots.txt' || ctx.path === '/favicon.ico')) return sendForEverySite(ctx);
    const isFile = ctx.path.startsWith(ASSETS) || NAMED_FILES.has(ctx.path);
    if (!isRead || !(isFile || isForPerson(ctx))) return false;
    if (publicUrl.startsWith('https:') && cameWithoutTls(ctx.req, ctx.state.trustedProxies)) {
      // Browsers send the console's cookies only over TLS, so a sign-in without TLS fails.
      ctx.status = 308;
      ctx.set('location', origin + ctx.url);
      return true;
    }
    build = await latest(pagesDir, providers, build);
    if (isFile) {
      const maxAge = NAMED_FILES.has(ctx.path) ? FOR_A_DAY : FOR_A_YEAR;
      return build !== undefined && sendPageFile(ctx, build.files, maxAge);
    }
    // Passkeys and cookies belong to one host name: redirect the other local name to it.
    if (ctx.host === otherHost) ctx.redirect(origin + ctx.url);
    else if (!isUtf8(ctx.path)) sendInvalid(ctx);
    else sendDocument(ctx, build, sessionTokenOf(ctx.req.headers, cookiePrefix) !== undefined);
    return true;
  };
}

// People read the documentation; all else is for those who have a key.
const ROBOTS = 'User-agent: *\nAllow: /docs\nDisallow: /\n';

/** What browsers and crawlers ask of every site. */
function sendForEverySite(ctx: Context): true {
  ctx.set('cache-control', FOR_A_DAY);
  if (ctx.path === '/robots.txt') ctx.body = ROBOTS;
  else {
    ctx.status = 301;
    ctx.redirect(ICON_PATH);
  }
  return true;
}

const isForPerson = ({ path, req }: Context): boolean =>
  path === '/' || (!OF_PROGRAMS.test(path) && (req.headers.accept ?? '').includes('text/html'));

/** Reads a build that is newer than the known one, because pages may be rebuilt while the API runs. */
async function latest(folder: string, providers: string, known: Build | undefined): Promise<Build | undefined> {
  const file = join(folder, 'index.html');
  const found = await stat(file).catch(() => undefined);
  if (!found || found.mtimeMs === known?.mtimeMs) return found && known;
  const pages = await readFile(join(folder, 'pages.json'), 'utf8').catch(() => '[]');
  return {
    mtimeMs: found.mtimeMs,
    html: (await readFile(file, 'utf8')).replace(SIGN_IN, () => providers),
    pages: JSON.parse(pages) as ListedPage[],
    files: await listPageFiles(folder),
  };
}

/** Allows only own scripts, files and connections, and styles only with this answer's nonce. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    // PDF files as typed blobs.
    'frame-src blob:',
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

function sendDocument(ctx: Context, build: Build | undefined, isSignedIn: boolean): void {
  ctx.set('referrer-policy', 'same-origin');
  ctx.set('permissions-policy', 'microphone=(self), camera=(), geolocation=(), payment=()');
  ctx.type = 'html';
  if (!build) {
    ctx.status = 503;
    ctx.set('retry-after', '3');
    ctx.set('content-security-policy', plainPagePolicy());
    ctx.body = NOT_BUILT;
    return;
  }
  const nonce = randomBytes(16).toString('base64');
  ctx.set('content-security-policy', policyOf(nonce));
  ctx.status = 200;
  const page = build.pages.find(({ path }) => isAt(path, ctx.path));
  const isPublic = page?.isPublic === true;
  ctx.body = build.html
    .replaceAll(NONCE, nonce)
    .replace(TITLE, page && (isPublic || isSignedIn) ? escapeHtml(page.title) : '')
    .replace(FRAME, isPublic || !isSignedIn ? 'is-front' : '');
}

/** Whether an address is that of a page: `/runs/$id` has any word in the place of `$id`. */
function isAt(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, at) => part.startsWith('$') || part === given[at]);
}

/** Whether the escapes of a path are those of a text. The pages' router fails otherwise. */
function isUtf8(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function sendInvalid(ctx: Context): void {
  ctx.type = 'html';
  ctx.status = 400;
  ctx.set('content-security-policy', plainPagePolicy());
  ctx.body = INVALID;
}

const INVALID = renderPlainPage({
  title: 'Invalid address',
  content: `<section class="card"><h1>This address is not valid</h1>
<p>It has a percent sign without the two digits of a letter, as a link does that was cut off. <a href="/">Go to the start</a>.</p></section>`,
});

const NOT_BUILT = renderPlainPage({
  title: 'Ledgerline',
  head: '<meta http-equiv="refresh" content="3">',
  content: `<section class="card"><h1>The console is being built</h1>
<p>This page shows it as soon as it is there. The API answers already: <a href="/docs">its documentation</a>.</p>
<p>Without <code>npm start</code>, build it once: <code>npm --prefix console ci &amp;&amp; npm --prefix console run build</code></p></section>`,
});
