import { ICON_PATH } from '../../../base/plainPage.ts';
import { escapeHtml } from '../../../base/web.ts';
import { PAGE_STYLE } from './style.ts';

/** A part of a page with its own address and search entry. */
export interface Section {
  /** Empty for a page's beginning. */
  id: string;
  title: string;
  html: string;
  /** Method and path of an operation. */
  path?: string;
  /** Class of the frame around it. */
  frame?: 'operation' | 'schema';
}

/** A page of the documentation. */
export interface Page {
  path: string;
  title: string;
  summary: string;
  /** Its heading in the navigation. */
  group: string;
  sections: Section[];
}

/** Path of the pages' script. It is a separate file because the policy allows no inline script. */
const SCRIPT_PATH = '/docs/search.js';

/** A page with the navigation to all `pages`. It is readable without its script, which adds search, tabs and copy buttons. */
export function renderPage(page: Page, pages: readonly Page[], site: string): string {
  const title = page.path === '/docs' ? site : `${page.title} · ${site}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><meta name="description" content="${escapeHtml(page.summary)}">
<link rel="icon" href="${ICON_PATH}" type="image/svg+xml"><style>${PAGE_STYLE}</style>
<script src="${SCRIPT_PATH}" defer></script></head><body>
<a class="skip" href="#top">Skip to the content</a>
${navigation(page, pages, site)}
<main id="top"${page.path.startsWith('/docs/guides/') ? ' class="guide"' : ''}>${kicker(page)}<h1>${escapeHtml(page.title)}</h1>
${page.sections.map(sectionHtml).join('\n')}
${neighbours(page, pages)}</main></body></html>
`;
}

const sectionHtml = ({ id, html, frame }: Section): string =>
  id === '' ? html : `<section${frame ? ` class="${frame}"` : ''} id="${escapeHtml(id)}">${html}</section>`;

const kicker = ({ group, path }: Page): string =>
  path === '/docs' ? '' : `<p class="kicker"><a href="/docs">Documentation</a> / ${escapeHtml(group)}</p>`;

function navigation(page: Page, pages: readonly Page[], site: string): string {
  const groups = Map.groupBy(
    pages.filter(({ group }) => group !== ''),
    ({ group }) => group,
  );
  const lists = [...groups].map(
    ([group, own]) =>
      `<strong>${escapeHtml(group)}</strong><ul>${own.map((one) => `<li>${navigationLink(one, page)}</li>`).join('')}</ul>`,
  );
  return `<nav aria-label="Documentation"><p class="brand"><a href="/">Ledgerline</a> <a href="/docs"${page.path === '/docs' ? ' aria-current="page"' : ''}>${escapeHtml(site.replace('Ledgerline ', ''))}</a></p>
<div id="search"></div><details id="contents"><summary>Contents</summary>${lists.join('\n')}</details></nav>`;
}

/** A link in the navigation; the shown page's link has its sections below it. */
function navigationLink(page: Page, shown: Page): string {
  const { path, title, sections } = page;
  if (page !== shown) return `<a href="${path}">${escapeHtml(title)}</a>`;
  const linked = sections.filter(({ id }) => id !== '');
  const schemas = path.startsWith('/docs/reference/') ? linked.filter(isSchema) : [];
  const others = linked.filter((section) => !schemas.includes(section));
  const fold = schemas.length === 0 ? '' : `<details><summary>Schemas</summary>${sectionList(schemas)}</details>`;
  return `<a href="${path}" aria-current="page">${escapeHtml(title)}</a>${sectionList(others)}${fold}`;
}

const isSchema = ({ frame }: Section): boolean => frame === 'schema';

const sectionList = (sections: Section[]): string =>
  sections.length === 0
    ? ''
    : `<ul>${sections.map(({ id, title }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(title)}</a></li>`).join('')}</ul>`;

function neighbours(page: Page, pages: readonly Page[]): string {
  const at = pages.indexOf(page);
  if (at <= 0) return '';
  const link = (one: Page | undefined, rel: 'prev' | 'next', word: string) =>
    one ? `<a href="${one.path}" rel="${rel}"><small>${word}</small>${escapeHtml(one.title)}</a>` : '';
  return (
    '<div ' +
    `class="neighbours">${link(at > 1 ? pages[at - 1] : undefined, 'prev', 'Previous')}${link(pages[at + 1], 'next', 'Next')}</div>`
  );
}
