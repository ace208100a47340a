import { DocumentError } from '../documentError.ts';
import { CELLS_MAX, type Sheet } from './sheet.ts';

const SEPARATORS = [',', ';', '\t'];

/**
 * The rows of a CSV text (RFC 4180) as one unnamed sheet; an empty cell is null, and rows without values are omitted. The separator is the
 * most frequent of comma, semicolon and tab in the first line. Throws DocumentError beyond 200,000 cells.
 */
export function csvSheet(text: string): Sheet {
  const separator = separatorIn(text);
  const rows: Sheet['rows'] = [];
  let row: Sheet['rows'][number] = [];
  let left = CELLS_MAX;
  const endRow = () => {
    left -= row.length;
    if (left < 0) throw new DocumentError(`The file has more than ${CELLS_MAX} cells.`);
    if (row.some((cell) => cell !== null)) rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at += 1) {
    const { cell, end } = cellAt(text, at, separator);
    row.push(cell === '' ? null : cell);
    at = text[end] === '\r' && text[end + 1] === '\n' ? end + 1 : end;
    if (text[end] !== separator) endRow();
  }
  endRow();
  return { name: '', rows };
}

function separatorIn(text: string): string {
  const line = text
    .slice(0, 100_000)
    .replaceAll(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1)[0]!;
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))]!;
}

/** The cell that begins at a position, and its end: at a separator, the end of a line, or of the text. */
function cellAt(text: string, from: number, separator: string): { cell: string; end: number } {
  let cell = '';
  let at = from;
  while (text[at] === '"') {
    const close = text.indexOf('"', at + 1);
    if (close < 0) return { cell: cell + text.slice(at + 1), end: text.length };
    // A doubled quote is one quote of the cell.
    cell += (at > from ? '"' : '') + text.slice(at + 1, close);
    at = close + 1;
  }
  let end = at;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { cell: cell + text.slice(at, end), end };
}
