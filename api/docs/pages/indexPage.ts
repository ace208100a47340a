import { escapeHtml } from '../../../base/web.ts';
import type { OpenApiDocument } from '../openapi/schemas.ts';
import { prose } from './html.ts';
import { MOVED } from './moved.ts';
import type { Page } from './page.ts';
import { capitalised } from '../../../base/sentences.ts';

/** `/docs`: all pages by group. Without the script, anchors of the former single page lead to the entry of their page. */
export function indexPage({ info, servers }: OpenApiDocument, pages: readonly Page[]): Page {
  const groups = [...Map.groupBy(pages, ({ group }) => group)].map(
    ([group, own]) =>
      `<section class="topics"><h2>${escapeHtml(group)}</h2><ul>${own.map(entry).join('')}</ul></section>`,
  );
  const html = `<p>Version ${escapeHtml(info.version)} · <code>${escapeHtml(servers[0]!.url)}</code> · <a href="/openapi.json">openapi.json</a></p>
<p>${prose(info.description)}</p>
${groups.join('\n')}`;
  return {
    path: '/docs',
    title: info.title,
    summary: 'Guides and reference of the Ledgerline API.',
    group: '',
    sections: [{ id: '', title: '', html }],
  };
}

const entry = ({ path, title, summary }: Page): string =>
  `<li${formerIdOf(path)}><a ` +
  `href="${path}">${escapeHtml(title)}</a><p>${prose(shortOf(capitalised(summary)))}</p></li>`;

function formerIdOf(path: string): string {
  const id = Object.keys(MOVED).find((name) => MOVED[name] === path);
  return id === undefined ? '' : ` id="${id}"`;
}

const SUMMARY_LENGTH = 110;

const shortOf = (text: string): string =>
  text.length <= SUMMARY_LENGTH ? text : `${text.slice(0, text.lastIndexOf(',', SUMMARY_LENGTH))}, …`;
