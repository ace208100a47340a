import type { Archive } from './archive.ts';
import type { Outline } from './outline.ts';
import { relationsOf, type Relation } from './package.ts';
import { readXml } from './xml.ts';

/** Reads a PPTX presentation: slides in their order by number, with titles, lists, tables and speaker notes. */
export function readPresentation(archive: Archive, mainPart: string, outline: Outline): void {
  const slides = slidesIn(archive.read(mainPart), relationsOf(archive, mainPart));
  for (const [index, part] of slides.entries()) {
    if (!archive.has(part)) continue;
    const bytes = archive.read(part);
    outline.heading(1, `Slide ${index + 1} of ${slides.length}${isHidden(bytes) ? ' (hidden)' : ''}`);
    readShapes(bytes, outline, (kind) => !FURNITURE.has(kind));
    const notes = [...relationsOf(archive, part).values()].find(({ type }) => type === 'notesSlide');
    if (notes && archive.has(notes.target)) readNotes(archive.read(notes.target), outline);
  }
}

/** Placeholders that say nothing of a slide's content. */
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

function slidesIn(presentation: Buffer, relations: Map<string, Relation>): string[] {
  const slides: string[] = [];
  readXml(presentation, {
    open: (name, attributes) => {
      const relation = name === 'sldId' ? relations.get(attributes.get(':id') ?? '') : undefined;
      if (relation) slides.push(relation.target);
    },
  });
  return slides;
}

function isHidden(slide: Buffer): boolean {
  let hidden = false;
  readXml(slide, {
    open: (name, attributes) => {
      if (name === 'sld') hidden = ['0', 'false'].includes(attributes.get('show') ?? '1');
    },
  });
  return hidden;
}

function readNotes(part: Buffer, outline: Outline): void {
  const texts: string[] = [];
  const collect: Outline = {
    ...outline,
    heading: (_level, text) => texts.push(text),
    paragraph: (text) => texts.push(text),
    item: (_level, _marker, text) => texts.push(text),
  };
  readShapes(part, collect, (kind) => kind === 'body');
  const text = texts.join('\n').trim();
  if (text) outline.paragraph(`Notes: ${text}`);
}

/** Reads the shapes of a slide. `isWanted` decides by the kind of their placeholder; it is empty for shapes that are none. */
function readShapes(slide: Buffer, outline: Outline, isWanted: (kind: string) => boolean): void {
  let kind = '';
  let [text, isText] = ['', false];
  let level = 0;
  let row: string[] | undefined;

  function endParagraph(): void {
    if (row) {
      if (row.length > 0) row[row.length - 1] += ` ${text}`;
    } else if (!isWanted(kind)) return;
    else if (kind === 'title' || kind === 'ctrTitle') outline.heading(2, text);
    else if (kind === 'body' || level > 0) outline.item(level, '-', text);
    else outline.paragraph(text);
  }

  readXml(slide, {
    open: (name, attributes) => {
      if (name === 'sp' || name === 'graphicFrame' || name === 'pic') kind = '';
      // A placeholder without a type is one for content.
      else if (name === 'ph') kind = attributes.get('type') ?? 'body';
      else if (name === 'p') [text, level] = ['', 0];
      else if (name === 'pPr') level = Number(attributes.get('lvl') ?? 0) || 0;
      else if (name === 'br') text += '\n';
      else if (name === 't') isText = true;
      else if (name === 'tr') row = [];
      else if (name === 'tc') row?.push('');
      else if (name === 'cNvPr' && attributes.get('descr')) outline.paragraph(`[Picture: ${attributes.get('descr')}]`);
    },
    text: (piece) => {
      if (isText) text += piece;
    },
    close: (name) => {
      if (name === 't') isText = false;
      else if (name === 'p') endParagraph();
      else if (name === 'tr') {
        if (row && row.length > 0) outline.row(row);
        row = undefined;
      } else if (name === 'tbl') outline.endTable();
    },
  });
}
