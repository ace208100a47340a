import type { Archive } from './archive.ts';
import type { Outline } from './outline.ts';
import { partOf, relationsOf } from './package.ts';
import { headingLevelsIn, listFormatsIn } from './wordStyles.ts';
import { joined, readXml, type XmlHandler } from './xml.ts';

interface Paragraph {
  text: string;
  style: string;
  /** The list's number and level, for an item of a list. */
  list: string | undefined;
  level: number;
  outlineLevel: number | undefined;
}

/** A picture, in the current and in the older form. */
const PICTURES = new Set(['pic', 'imagedata']);

/** Elements whose content is not shown: removed text, field codes, and alternative forms of content that is already there. */
const SKIPPED = new Set(['del', 'moveFrom', 'instrText', 'Fallback', 'delText']);

// Word allows 63 columns. The last column holds the content of further ones.
const COLUMNS_MAX = 1_000;

const TEXT_OF: Record<string, string> = { tab: '\t', br: '\n', cr: '\n', noBreakHyphen: '-' };

/** Reads a DOCX document: headings, paragraphs, lists, tables, links, and footnotes at its end. */
export function readWordDocument(archive: Archive, mainPart: string, outline: Outline): void {
  const relations = relationsOf(archive, mainPart);
  const headingLevels = headingLevelsIn(partOf(archive, relations, 'styles'));
  const listFormats = listFormatsIn(partOf(archive, relations, 'numbering'));
  const linkOf = (id: string) => relations.get(id)?.target;
  const write = (paragraph: Paragraph) => writeParagraph(outline, paragraph, { headingLevels, listFormats });
  let hasPicture = false;
  const story = storyReader({ outline, write, linkOf });
  readXml(archive.read(mainPart), {
    ...story,
    open: (name, attributes) => {
      hasPicture ||= PICTURES.has(name);
      story.open(name, attributes);
    },
  });
  const notes = partOf(archive, relations, 'footnotes');
  if (notes) readFootnotes(notes, outline);
  if (hasPicture && outline.text() === '') outline.paragraph('[The document is made of pictures, and has no text.]');
}

interface Story {
  outline: Outline;
  write: (paragraph: Paragraph) => void;
  linkOf: (id: string) => string | undefined;
}

/** Reads paragraphs and tables. Both may be nested: only the outermost table becomes a table, and text boxes become paragraphs. */
function storyReader({ outline, write, linkOf }: Story): Required<XmlHandler> {
  const paragraphs: Paragraph[] = [];
  const links: (string | undefined)[] = [];
  let skipped = 0;
  let tables = 0;
  let isText = false;
  let row: string[] = [];

  function add(text: string): void {
    const paragraph = paragraphs.at(-1);
    if (paragraph) paragraph.text = joined(paragraph.text, text);
  }

  return {
    open: (name, attributes) => {
      if (SKIPPED.has(name)) skipped += 1;
      if (skipped > 0) return;
      const value = attributes.get(':val') ?? '';
      const paragraph = paragraphs.at(-1);
      if (name === 'p') paragraphs.push({ text: '', style: '', list: undefined, level: 0, outlineLevel: undefined });
      else if (name === 't') isText = true;
      else if (Object.hasOwn(TEXT_OF, name)) add(TEXT_OF[name]!);
      else if (name === 'hyperlink') {
        links.push(linkOf(attributes.get(':id') ?? ''));
        if (links.at(-1)) add('[');
      } else if (name === 'footnoteReference') add(`[^${attributes.get(':id') ?? ''}]`);
      else if (name === 'docPr' && attributes.get('descr')) add(`[Picture: ${attributes.get('descr')}]`);
      else if (name === 'tbl') tables += 1;
      else if (name === 'tr' && tables === 1) row = [];
      else if (name === 'tc' && tables === 1 && row.length < COLUMNS_MAX) row.push('');
      else if (paragraph && name === 'pStyle') paragraph.style = value;
      else if (paragraph && name === 'numId') paragraph.list = value;
      else if (paragraph && name === 'ilvl') paragraph.level = Number(value) || 0;
      else if (paragraph && name === 'outlineLvl') paragraph.outlineLevel = Number(value);
    },
    text: (piece) => {
      if (isText && skipped === 0) add(piece);
    },
    close: (name) => {
      if (SKIPPED.has(name)) skipped -= 1;
      if (skipped > 0) return;
      if (name === 't') isText = false;
      else if (name === 'hyperlink') {
        const link = links.pop();
        if (link) add(`](${link})`);
      } else if (name === 'p') {
        const paragraph = paragraphs.pop();
        if (!paragraph) return;
        if (tables === 0) write(paragraph);
        else if (row.length > 0) row.push(joined(row.pop()!, ` ${paragraph.text}`));
      } else if (name === 'tr' && tables === 1 && row.length > 0) outline.row(row);
      else if (name === 'tbl') {
        tables -= 1;
        if (tables === 0) outline.endTable();
      }
    },
  };
}

interface Styles {
  headingLevels: Map<string, number>;
  listFormats: Map<string, string>;
}

function writeParagraph(
  outline: Outline,
  { text, style, list, level, outlineLevel }: Paragraph,
  { headingLevels, listFormats }: Styles,
): void {
  const heading = outlineLevel !== undefined && outlineLevel < 9 ? outlineLevel + 1 : headingLevels.get(style);
  const format = listFormats.get(`${list ?? ''}/${level}`) ?? listFormats.get(`style ${style}`);
  if (heading !== undefined) outline.heading(heading, text);
  else if ((list !== undefined && list !== '0') || format) outline.item(level, format === 'decimal' ? '1.' : '-', text);
  else outline.paragraph(text);
}

function readFootnotes(part: Buffer, outline: Outline): void {
  let id: string | undefined;
  let [text, isText] = ['', false];
  readXml(part, {
    open: (name, attributes) => {
      // Notes with a type are separators between the page and its notes.
      if (name === 'footnote') [id, text] = [attributes.has(':type') ? undefined : attributes.get(':id'), ''];
      isText = name === 't';
    },
    text: (piece) => {
      if (isText) text = joined(text, piece);
    },
    close: (name) => {
      if (name === 't') isText = false;
      else if (name === 'footnote' && id !== undefined) outline.paragraph(`[^${id}]: ${text.trim()}`);
    },
  });
}
