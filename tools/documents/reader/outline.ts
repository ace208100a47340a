/** The text of a document as it is read: headings, lists and tables in the form of Markdown. */
export interface Outline {
  heading(level: number, text: string): void;
  paragraph(text: string): void;
  item(level: number, marker: string, text: string): void;
  /** A row of a table. The first row after other text is the head. */
  row(cells: readonly string[]): void;
  /** Ends a table, so that the next row begins a new one. */
  endTable(): void;
  text(): string;
}

/** Thrown when a document exceeds the text limit; `Outline.text` has the text before it. */
export class OutlineFull extends Error {
  override readonly name = 'OutlineFull';
}

const LEVEL_MAX = 6;
const INDENT_MAX = 8;

export function createOutline(charactersMax: number): Outline {
  const pieces: string[] = [];
  let left = charactersMax;
  let last: 'start' | 'block' | 'item' | 'row' = 'start';

  function write(kind: 'block' | 'item' | 'row', text: string): void {
    const isTight = kind === last && kind !== 'block';
    const gap = last === 'start' ? '' : isTight ? '\n' : '\n\n';
    const piece = (gap + text).slice(0, left);
    pieces.push(piece);
    left -= piece.length;
    last = kind;
    if (left === 0) throw new OutlineFull();
  }

  return {
    heading: (level, text) => {
      const line = lineOf(text);
      if (line) write('block', `${'#'.repeat(Math.min(Math.max(level, 1), LEVEL_MAX))} ${line}`);
    },
    paragraph: (text) => {
      // Not with one regular expression, which takes quadratic time for a long run of blanks.
      const lines = text.split('\n').map((line) => line.trimEnd());
      const trimmed = lines.join('\n').trim();
      if (trimmed) write('block', trimmed);
    },
    item: (level, marker, text) => {
      const line = lineOf(text);
      if (line) write('item', `${'  '.repeat(Math.min(Math.max(level, 0), INDENT_MAX))}${marker} ${line}`);
    },
    row: (cells) => {
      const isHead = last !== 'row';
      write('row', `| ${cells.map(cellOf).join(' | ')} |`);
      if (isHead) write('row', `|${' --- |'.repeat(cells.length)}`);
    },
    endTable: () => {
      if (last === 'row') last = 'block';
    },
    text: () => pieces.join(''),
  };
}

const lineOf = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const cellOf = (text: string) => lineOf(text).replaceAll('|', '\\|');
