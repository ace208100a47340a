import { DocumentError } from '../documentError.ts';
import type { Archive } from './archive.ts';
import type { Outline } from './outline.ts';
import { relationsOf, type Relation } from './package.ts';
import { joined, readXml } from './xml.ts';

/** Reads a PPTX presentation: slides in their order by number, with titles, lists, tables and speaker notes. */
export function readPresentation(archive: Archive, mainPart: string, outline: Outline): void {
  const slides = slidesIn(archive.read(mainPart), relationsOf(archive, mainPart));
  for (const [index, part] of slides.entries()) {
    if (!archive.has(part)) continue;
    const bytes = archive.read(part);
    outline.heading(1, `Slide ${index + 1} of ${slides.length}${isHidden(bytes) ? ' (hidden)' : ''}`);
    const { isPicture } = readShapes(bytes, outline, (kind) => !FURNITURE.has(kind));
    if (isPicture) outline.paragraph('[The slide is a picture, and has no text.]');
    const notes = [...relationsOf(archive, part).values()].find(({ type }) => type === 'notesSlide');
    if (notes && archive.has(notes.target)) readNotes(archive.read(notes.target), outline);
  }
}

const SLIDES_MAX = 5_000;
const COLUMNS_MAX = 1_000;

/** Placeholders without content. */
const FURNITURE = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);

function slidesIn(presentation: Buffer, relations: Map<string, Relation>): string[] {
  const slides: string[] = [];
  readXml(presentation, {
    open: (name, attributes) => {
      const relation = name === 'sldId' ? relations.get(attributes.get(':id') ?? '') : undefined;
      if (relation) slides.push(relation.target);
      if (slides.length > SLIDES_MAX) throw new DocumentError(`The presentation has more than ${SLIDES_MAX} slides.`);
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

/**
 * Reads the shapes of a slide. `isWanted` decides by the kind of their placeholder, which is empty for other shapes. Returns whether it
 * shows only pictures.
 */
function readShapes(slide: Buffer, outline: Outline, isWanted: (kind: string) => boolean): { isPicture: boolean } {
  let [hasText, hasPicture] = [false, false];
  let kind = '';
  let [text, isText] = ['', false];
  let level = 0;
  let row: string[] | undefined;

  function endParagraph(): void {
    hasText ||= text.trim() !== '' && (row !== undefined || isWanted(kind));
    if (row) {
      if (row.length > 0) row.push(joined(row.pop()!, ` ${text}`));
    } else if (!isWanted(kind)) return;
    else if (kind === 'title' || kind === 'ctrTitle') outline.heading(2, text);
    else if (kind === 'body' || level > 0) outline.item(level, '-', text);
    else outline.paragraph(text);
  }

  readXml(slide, {
    open: (name, attributes) => {
      hasPicture ||= name === 'pic';
      if (name === 'sp' || name === 'graphicFrame' || name === 'pic') kind = '';
      // A placeholder without a type holds content.
      else if (name === 'ph') kind = attributes.get('type') ?? 'body';
      else if (name === 'p') [text, level] = ['', 0];
      else if (name === 'pPr') level = Number(attributes.get('lvl') ?? 0) || 0;
      else if (name === 'br') text = joined(text, '\n');
      else if (name === 't') isText = true;
      else if (name === 'tr') row = [];
      else if (name === 'tc' && row && row.length < COLUMNS_MAX) row.push('');
      else if (name === 'cNvPr' && attributes.get('descr')) {
        hasText = true;
        outline.paragraph(`[Picture: ${attributes.get('descr')}]`);
      }
    },
    text: (piece) => {
      if (isText) text = joined(text, piece);
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
  return { isPicture: hasPicture && !hasText };
}
