import { Parser } from 'htmlparser2';
import { DocumentError } from '../documentError.ts';
import type { Outline } from './outline.ts';

const SKIPPED = new Set('title script style noscript template svg iframe textarea object math head select'.split(' '));
const INLINE = new Set(
  'a abbr acronym b bdi bdo big button cite code data del dfn em font i input ins kbd label mark meter output q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const CELLS = new Set(['td', 'th']);
// The parser's time per element grows with its depth.
const DEPTH_MAX = 10_000;

interface List {
  isOrdered: boolean;
  count: number;
}

/** Reads an HTML page: headings, paragraphs, lists, tables and links, without scripts and styles. */
export function readPage(html: string, outline: Outline): void {
  const parser = new Parser(pageReader(outline), { decodeEntities: true });
  parser.write(html);
  parser.end();
}

function pageReader(outline: Outline) {
  let text = '';
  let isAfterSpace = true;
  let depth = 0;
  let skipped = 0;
  let preformatted = 0;
  let heading = 0;
  let isTitle = false;
  let hasTitle = false;
  let marker: { level: number; text: string } | undefined;
  let link: { target: string; label: string } | undefined;
  const lists: List[] = [];
  /** The cells of the current row, for each open table. */
  const tables: (string[] | undefined)[] = [];

  function add(piece: string): void {
    if (piece === '') return;
    isAfterSpace = /\s$/.test(piece);
    if (link) link.label += piece;
    else text += piece;
  }

  function addLink(): void {
    if (!link) return;
    const label = link.label.trim();
    text += label && isShown(link.target) ? `[${label}](${link.target})` : link.label;
    link.label = '';
  }

  const openRow = () => tables.findLast((row) => row !== undefined);

  /** Writes the text since the last block. Inside a table it belongs to the cell. */
  function endBlock(): void {
    addLink();
    const block = preformatted > 0 ? text : text.replaceAll(/ *\n */g, '\n').trim();
    [text, isAfterSpace] = ['', true];
    if (block === '') return;
    const row = openRow();
    if (row) addToCell(row, block);
    else if (heading > 0) outline.heading(heading, block);
    else if (marker) outline.item(marker.level, marker.text, block);
    else outline.paragraph(block);
    marker = undefined;
  }

  /** A nested table becomes text of its cell, because layouts are often tables. */
  function endRow(): void {
    const cells = (tables.at(-1) ?? []).map((cell) => cell.trim());
    if (tables.length > 0) tables[tables.length - 1] = undefined;
    if (!cells.some((cell) => cell !== '')) return;
    const outer = openRow();
    if (outer) addToCell(outer, cells.join(', '));
    else outline.row(cells);
  }

  function openBlock(name: string): void {
    if (name === 'pre') preformatted += 1;
    else if (name === 'ul' || name === 'ol') lists.push({ isOrdered: name === 'ol', count: 0 });
    else if (name === 'li') marker = markerIn(lists);
    else if (HEADING.test(name)) heading = Number(name[1]);
    else if (name === 'table') tables.push(undefined);
    else if (name === 'tr') {
      endRow();
      if (tables.length > 0) tables[tables.length - 1] = [];
    } else if (CELLS.has(name)) tables.at(-1)?.push('');
  }

  function closeBlock(name: string): void {
    if (name === 'pre') preformatted = Math.max(0, preformatted - 1);
    else if (name === 'ul' || name === 'ol') lists.pop();
    else if (name === 'tr') endRow();
    else if (HEADING.test(name)) heading = 0;
    else if (name === 'table') {
      endRow();
      tables.pop();
      if (tables.length === 0) outline.endTable();
    }
  }

  return {
    onopentag(name: string, attributes: Record<string, string>): void {
      if ((depth += 1) > DEPTH_MAX) throw new DocumentError('The page is nested too deeply to read.');
      // Drawings also have titles.
      if (name === 'title' && !hasTitle) isTitle = hasTitle = true;
      if (SKIPPED.has(name)) skipped += 1;
      if (skipped > 0) return;
      if (name === 'br') add('\n');
      else if (name === 'img') add(attributes.alt ? `[Picture: ${attributes.alt}]` : '');
      else if (name === 'a') {
        addLink();
        link = { target: attributes.href ?? '', label: '' };
      } else if (!INLINE.has(name)) {
        endBlock();
        openBlock(name);
      }
    },

    ontext(piece: string): void {
      if (isTitle) outline.paragraph(`Title: ${piece.trim()}`);
      isTitle = false;
      if (skipped > 0) return;
      const plain = preformatted > 0 ? piece : piece.replaceAll(/\s+/g, ' ');
      add(isAfterSpace && preformatted === 0 ? plain.trimStart() : plain);
    },

    onclosetag(name: string): void {
      depth -= 1;
      if (SKIPPED.has(name)) skipped -= 1;
      else if (skipped > 0) return;
      else if (name === 'a') {
        addLink();
        link = undefined;
      } else if (!INLINE.has(name) && name !== 'br' && name !== 'img') {
        endBlock();
        closeBlock(name);
      }
    },

    onend: endBlock,
  };
}

const HEADING = /^h[1-6]$/;

function addToCell(row: string[], text: string): void {
  row.push(`${row.pop() ?? ''} ${text}`);
}

function markerIn(lists: List[]): { level: number; text: string } {
  const list = lists.at(-1);
  if (list) list.count += 1;
  return { level: Math.max(0, lists.length - 1), text: list?.isOrdered ? `${list.count}.` : '-' };
}

/** Whether a link leads outside the page. */
const isShown = (target: string) => target !== '' && !/^(?:#|javascript:|data:)/i.test(target);
