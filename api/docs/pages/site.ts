import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setImmediate as takeTurn } from 'node:timers/promises';
import type { ThirdParty } from '../../../providers/localEngines.ts';
import { escapeHtml } from '../../../base/web.ts';
import type { Model } from '../../../db/catalog/catalog.ts';
import type { DocumentedRoute } from '../../http/documentedRoute.ts';
import { API_VERSION } from '../../http/flatResponse.ts';
import { agentFileSchema } from '../openapi/agentFile.ts';
import { buildOpenApi } from '../openapi/openapi.ts';
import type { OpenApiDocument } from '../openapi/schemas.ts';
import { enginesTable } from './engines.ts';
import { searchModule } from './entries.ts';
import { type Filling, listGuides, renderGuide } from './guide.ts';
import { indexPage } from './indexPage.ts';
import { type InstalledLimits, limitsTable } from './limits.ts';
import { modelComparison } from './modelTable.ts';
import { type Page, renderPage } from './page.ts';
import { pricesTable } from './prices.ts';
import { quickStartTabs } from './quickStart.ts';
import { errorTable, operationsOf } from './reference.ts';
import { referencePages, unnamedSchemas } from './referencePages.ts';
import { PAGE_STYLE } from './style.ts';
import { valuesOf } from './values.ts';

/** Data that the pages show beside the document: models, prices and this installation's limits. */
export interface Installation extends InstalledLimits {
  models: readonly Model[];
  thirdParties?: readonly ThirdParty[];
}

/** The pages by path, their search module, and their content policy: only own styles, scripts and icon. */
export interface Site {
  pages: Map<string, string>;
  /** The page for unknown addresses. */
  missing: string;
  entries: string;
  contentSecurityPolicy: string;
}

/**
 * The documentation as pages of HTML: guides, and the reference of the document's operations. All of them take a quarter of a second, in
 * which this process serves calls too: each page is written in a turn of its own.
 */
export async function renderSite(document: OpenApiDocument, installation: Installation): Promise<Site> {
  const own = await inTurns([...guidePages(document, installation), ...referencePages(document)]);
  const pages = [indexPage(document, own), ...own];
  const placed = withAddresses(pages);
  const { title } = document.info;
  const written = await inTurns(placed.map((page) => () => [page.path, renderPage(page, placed, title)] as const));
  const html = new Map(written);
  const style = hash('sha256', PAGE_STYLE, 'base64');
  return {
    pages: html,
    missing: renderPage(MISSING, placed, title),
    entries: searchModule(placed.slice(1)),
    contentSecurityPolicy:
      `default-src 'none'; style-src 'sha256-${style}'; script-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; ` +
      `form-action 'none'; frame-ancestors 'none'`,
  };
}

async function inTurns<Made>(works: readonly (() => Made)[]): Promise<Made[]> {
  const made: Made[] = [];
  for (const work of works) {
    made.push(work());
    await takeTurn();
  }
  return made;
}

const MISSING: Page = {
  path: '',
  title: 'No such page',
  summary: 'There is no page at this address.',
  group: 'Not found',
  sections: [
    { id: '', title: '', html: '<p>Search for what you need, or begin at the <a href="/docs">contents</a>.</p>' },
  ],
};

function guidePages(document: OpenApiDocument, installation: Installation): (() => Page)[] {
  const filling = fillingOf(document, installation);
  return listGuides().map(({ slug, title, summary, group }) => (): Page => {
    const { sections } = renderGuide(slug, filling);
    // The guide to errors shows the schemas that no operation uses.
    const schemas = slug === 'errors' ? unnamedSchemas(document) : [];
    return { path: `/docs/guides/${slug}`, title, summary, group, sections: [...sections, ...schemas] };
  });
}

function fillingOf(document: OpenApiDocument, { models, thirdParties, ...limits }: Installation): Filling {
  const operations = operationsOf(document).flatMap(({ method, paths, operationId }) =>
    paths.map((path) => [`${method} ${path}`, operationId] as const),
  );
  return {
    values: valuesOf({ baseUrl: document.servers[0]!.url, models }),
    operations: new Map(operations),
    blocks: {
      authentication: () => authentication(document),
      engines: () => enginesTable(thirdParties),
      errorTable: () => errorTable(document),
      limits: () => limitsTable(limits),
      modelComparison: () => modelComparison(models),
      prices: () => pricesTable(models),
      quickStart: () => quickStartTabs(models),
    },
  };
}

function authentication({ components }: OpenApiDocument): string {
  const schemes = Object.values(components.securitySchemes) as { description: string }[];
  return `<ul>${schemes.map(({ description }) => `<li><code>${escapeHtml(description)}</code></li>`).join('')}</ul>`;
}

const LOCAL_LINK = /href="#([^"]+)"/g;

/** Rewrites each `#id` of another page to a link to that page: pages are written as if they were one. */
function withAddresses(pages: Page[]): Page[] {
  const idsOf = ({ sections }: Page) =>
    sections.flatMap(({ id, html }) => [id, ...[...html.matchAll(/ id="([^"]+)"/g)].map(([, inner]) => inner!)]);
  const own = new Map(pages.map((page) => [page, new Set(idsOf(page))]));
  const homes = new Map(pages.flatMap((page) => [...own.get(page)!].map((id) => [id, page.path])));
  return pages.map((page) => {
    const address = (whole: string, id: string) =>
      own.get(page)!.has(id) || !homes.has(id) ? whole : `href="${homes.get(id)}#${id}"`;
    const sections = page.sections.map((section) => ({
      ...section,
      html: section.html.replaceAll(LOCAL_LINK, address),
    }));
    return { ...page, sections };
  });
}

/** All files that `/docs`, `/openapi.json` and `/schemas/agent.json` serve for a route table at `baseUrl`. */
export async function writeSite(
  routes: readonly DocumentedRoute[],
  { baseUrl, ...installation }: Installation & { baseUrl: string },
): Promise<Site & { document: string; agentFile: string; script: string }> {
  const document = buildOpenApi(routes, { version: API_VERSION, baseUrl });
  const script = readFileSync(new URL('search.js', import.meta.url), 'utf8');
  const agentFile = JSON.stringify(agentFileSchema(document));
  await takeTurn();
  const site = await renderSite(document, installation);
  return { document: JSON.stringify(document), agentFile, script, ...site };
}
