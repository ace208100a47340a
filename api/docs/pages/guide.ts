import { readFileSync } from 'node:fs';
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../../base/web.ts';
import type { Section } from './page.ts';
import { programTabs, readSnippet } from './programTabs.ts';

const GUIDES = new URL('../../../docs/guides/', import.meta.url);
const EXAMPLES = new URL('../../../docs/examples/', import.meta.url);

/** A line of the index of guides. */
export interface GuideEntry {
  slug: string;
  title: string;
  summary: string;
  group: string;
}

/** Values for a guide's placeholders, and the targets of its links to operations. */
export interface Filling {
  /** Markdown that replaces `{{name}}`. */
  values: Readonly<Record<string, string>>;
  /** HTML that replaces a paragraph with only `{{name}}`. */
  blocks: Readonly<Record<string, () => string>>;
  /** Ids of operations by method and path, for example `GET /v1/runs`. */
  operations: ReadonlyMap<string, string>;
}

/** The guides in the order of `docs/guides/README.md`, grouped by its headings. */
export function listGuides(): GuideEntry[] {
  let group = '';
  return readFileSync(new URL('README.md', GUIDES), 'utf8')
    .split('\n')
    .flatMap((line) => {
      group = /^## (.+)/.exec(line)?.[1] ?? group;
      const entry = /^- \[(.+)\]\(([\w-]+)\.md\): (.+)/.exec(line);
      return entry ? [{ title: entry[1]!, slug: entry[2]!, summary: entry[3]!, group }] : [];
    });
}

/** A guide as sections of HTML: its beginning, then a section per heading of the second level. */
export function renderGuide(slug: string, filling: Filling): { title: string; sections: Section[] } {
  const source = readFileSync(new URL(`${slug}.md`, GUIDES), 'utf8');
  const marked = renderer(slug, filling);
  const [title, ...tokens] = marked.lexer(fill(source, slug, filling)).filter(({ type }) => type !== 'space');
  if (title?.type !== 'heading' || title.depth !== 1) throw new Error(`docs/guides/${slug}.md has no title`);
  const parts = Object.values(Object.groupBy(numbered(tokens), ({ part }) => part)) as { token: Token }[][];
  const sections = parts.map((part) => {
    const own = part.map(({ token }) => token);
    const head = own[0] as Tokens.Heading;
    const isHeaded = isSectionStart(head);
    return { id: isHeaded ? slugOf(head.text) : '', title: isHeaded ? head.text : '', html: marked.parser(own) };
  });
  return { title: title.text as string, sections };
}

const isSectionStart = (token: Token): boolean => token.type === 'heading' && token.depth === 2;

function numbered(tokens: Token[]): { token: Token; part: number }[] {
  let part = 0;
  return tokens.map((token) => ({ token, part: isSectionStart(token) ? ++part : part }));
}

/** A heading's id, as other Markdown renderers make it. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const PLACEHOLDER = /\{\{([\w-]+)(?::([\w./-]+))?\}\}/g;

/** Replaces placeholders in text and programs, and keeps those of blocks. Throws an error that names an unknown placeholder. */
function fill(source: string, slug: string, { values, blocks }: Filling): string {
  return source.replaceAll(PLACEHOLDER, (whole, name: string, file?: string) => {
    if (file !== undefined && name === 'snippet') return readSnippet(file, values.textModel ?? '');
    if (file !== undefined && name === 'example') return readFileSync(new URL(file, EXAMPLES), 'utf8').trimEnd();
    // A block of its own.
    if (file !== undefined && name === 'tabs') return whole;
    if (file === undefined && values[name] !== undefined) return values[name];
    if (file === undefined && blocks[name]) return whole;
    throw new Error(`docs/guides/${slug}.md: unknown placeholder ${whole}`);
  });
}

const TABS = /^\{\{tabs:([\w./-]+)\}\}$/;

function renderer(slug: string, { blocks, operations, values }: Filling): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth}${depth > 2 ? ` id="${slugOf(text)}"` : ''}>${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code: ({ text }) => `<pre>${escapeHtml(text)}</pre>\n`,
      codespan({ text }) {
        const operation = operations.get(text);
        const code = `<code>${escapeHtml(text)}</code>`;
        return operation === undefined ? code : `<a href="#${escapeHtml(operation)}">${code}</a>`;
      },
      link({ href, tokens }) {
        const address = href.replace(/^README\.md$/, '/docs').replace(/^([\w-]+)\.md(?=#|$)/, '/docs/guides/$1');
        // Code that names an operation must not become a link inside a link.
        const text = this.parser.parseInline(tokens).replaceAll(/<\/?a\b[^>]*>/g, '');
        return `<a href="${escapeHtml(address)}">${text}</a>`;
      },
      paragraph({ text, tokens }) {
        const tabs = TABS.exec(text)?.[1];
        if (tabs !== undefined) return programTabs(tabs, values.textModel ?? '');
        const block = /^\{\{([\w-]+)\}\}$/.exec(text)?.[1];
        return block === undefined ? `<p>${this.parser.parseInline(tokens)}</p>\n` : `${blocks[block]!()}\n`;
      },
      table({ header, rows }) {
        const inline = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
        const head = header.map((cell) => `<th scope="col">${inline(cell)}</th>`);
        // On narrow screens a row's cells are stacked, each with its column's name.
        const label = (at: number) => (header.length > 2 ? ` data-label="${escapeHtml(header[at]!.text)}"` : '');
        const body = rows.map(
          (cells) => `<tr>${cells.map((cell, at) => `<td${label(at)}>${inline(cell)}</td>`).join('')}</tr>`,
        );
        return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table>\n`;
      },
      html({ text }): string {
        throw new Error(`docs/guides/${slug}.md: HTML is not allowed: ${text}`);
      },
      image(): string {
        throw new Error(`docs/guides/${slug}.md: the policy of the pages allows no images`);
      },
    },
  });
}
