import { MOVED } from './moved.ts';
import type { Page, Section } from './page.ts';

/** The search entry of a part of a page. */
interface Entry {
  href: string;
  title: string;
  /** Shown below the title in the results. */
  about: string;
  words: string;
}

/** The search module: the parts of all pages with their words, and the new addresses of old anchors. */
export const searchModule = (pages: readonly Page[]): string =>
  `export const entries = ${JSON.stringify(pages.flatMap(entriesOf))};\nexport const moved = ${JSON.stringify(MOVED)};\n`;

/** The page itself, its sections, and the table rows with an address. */
function entriesOf(page: Page): Entry[] {
  const intro = page.sections.filter(({ id }) => id === '').map(({ html }) => html);
  const rows = page.sections.flatMap(({ html }) => [...html.matchAll(/<tr id="([^"]+)"[^]*?<\/tr>/g)]);
  return [
    {
      href: page.path,
      title: page.title,
      about: page.group,
      words: wordsOf(`${page.title} ${page.summary}`, ...intro),
    },
    ...page.sections.filter(({ id }) => id !== '').map((section) => entryOf(page, section)),
    ...rows.map(([row, id]) => ({
      href: `${page.path}#${id}`,
      title: textOf(/<th[^]*?<\/th>/.exec(row)?.[0] ?? '').trim(),
      about: page.title,
      words: wordsOf(row),
    })),
  ];
}

const entryOf = ({ path, title: pageTitle }: Page, { id, title, path: place, html, frame }: Section): Entry => ({
  href: `${path}#${id}`,
  title,
  about: place ?? pageTitle,
  // Operations' sample programs and answers repeat their parameters.
  words: wordsOf(frame ? html.replaceAll(/<pre>[^]*?<\/pre>/g, '') : html),
});

const textOf = (html: string): string =>
  html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => CHARACTERS[name]!);

const CHARACTERS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Each word once, in lower case, without the punctuation around it. */
const wordsOf = (...html: string[]): string => {
  const words = textOf(html.join(' ')).toLowerCase().split(/\s+/);
  return [...new Set(words.map((word) => word.replaceAll(/^[(“"'[{]+|[.,:;)”"'\]}]+$/g, '')))]
    .filter(Boolean)
    .join(' ');
};
