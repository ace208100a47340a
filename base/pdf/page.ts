import { readFileSync } from 'node:fs';
import Pdf from 'pdfkit';
import { needsDejaVu, printableOf } from './printable.ts';
import { drawLine, drawLines, hasRightToLeft, linesOf } from './rightToLeft.ts';

/** The drawing of a PDF of A4 pages, in points. */
export type Document = InstanceType<typeof Pdf>;

export const MARGIN = 56;
export const WIDTH = 595.28 - 2 * MARGIN;
const HEIGHT = 841.89;
/** Where the feet of pages begin. */
const BOTTOM = HEIGHT - MARGIN - 12;
export const [INK, SOFT, LINE, ORANGE] = ['#14191d', '#57626b', '#dfe3e6', '#c2410c'];

const readFont = (file: string): Buffer => readFileSync(new URL(`fonts/${file}.ttf`, import.meta.url));
const FONTS = {
  Text: readFont('geist-400'),
  Strong: readFont('geist-600'),
  WideText: readFont('dejavu-400'),
  WideStrong: readFont('dejavu-600'),
};

/** Opens a document with its fonts, of which it will have the used letters. `done` has its bytes after `pdf.end()`. */
export function openPdf(title: string): { pdf: Document; done: Promise<Buffer> } {
  const margins = { top: MARGIN, left: MARGIN, right: MARGIN, bottom: 0 };
  const pdf = new Pdf({ size: 'A4', margins, bufferPages: true, font: '', info: { Title: title } });
  for (const [name, font] of Object.entries(FONTS)) pdf.registerFont(name, font);
  const parts: Buffer[] = [];
  pdf.on('data', (part: Buffer) => parts.push(part));
  const done = new Promise<Buffer>((resolve, reject) => {
    pdf.on('end', () => resolve(Buffer.concat(parts))).on('error', reject);
  });
  return { pdf, done };
}

const SIZE = 9;
const TITLE_SIZE = 24;

interface Place {
  x?: number;
  width?: number;
  align?: 'left' | 'right';
  colour?: string;
  size?: number;
  isStrong?: boolean;
}

/** One line of text at a height; a longer text is cut. */
export function write(
  pdf: Document,
  text: string,
  y: number,
  { x = 0, width = WIDTH - x, align = 'left', colour = INK, size = SIZE, isStrong = false }: Place = {},
): void {
  const options = {
    width,
    align,
    lineBreak: false,
    height: size * 1.4,
    ellipsis: true,
    ...(align === 'right' && { features: ['tnum' as const] }),
  };
  const printed = printableOf(text);
  chooseFont(pdf, printed, isStrong).fontSize(size).fillColor(colour);
  if (hasRightToLeft(printed)) drawLine(pdf, wordsOf(printed), { x: MARGIN + x, y, width, align });
  else pdf.text(printed, MARGIN + x, y, options);
}

function chooseFont(pdf: Document, text: string, isStrong: boolean): Document {
  const weight = isStrong ? 'Strong' : 'Text';
  return pdf.font(needsDejaVu(text) ? `Wide${weight}` : weight);
}

const wordsOf = (text: string): string[] => text.split(' ').filter((word) => word !== '');

/** The width of an amount, or of a text of another size, as wide as it is drawn at most. */
export const widthOf = (pdf: Document, text: string, size = SIZE): number =>
  pdf
    .font('Strong')
    .fontSize(size)
    .widthOfString(text, { features: ['tnum'] });

type Lines = Pick<Place, 'x' | 'width' | 'isStrong'> & { step: number };

/** The height of a text over as many lines as it needs, at least `step`, the distance between lines. */
export function heightOf(
  pdf: Document,
  text: string,
  { step, x = 0, width = WIDTH - x, isStrong = false }: Lines,
): number {
  const printed = printableOf(text);
  chooseFont(pdf, printed, isStrong).fontSize(SIZE);
  if (hasRightToLeft(printed)) return step * linesOf(pdf, wordsOf(printed), width).length;
  return Math.max(step, pdf.heightOfString(printed, { width, lineGap: step - pdf.currentLineHeight(true) }));
}

/** Text over as many lines as it needs. Returns its height. */
export function writeWhole(
  pdf: Document,
  text: string,
  y: number,
  { step, x = 0, width = WIDTH - x, isStrong = false }: Lines,
): number {
  const height = heightOf(pdf, text, { step, width, isStrong });
  const printed = printableOf(text);
  pdf.fillColor(INK);
  if (hasRightToLeft(printed)) drawLines(pdf, wordsOf(printed), { x: MARGIN + x, y, width, align: 'left', step });
  else pdf.text(printed, MARGIN + x, y, { width, lineGap: step - pdf.currentLineHeight(true) });
  return height;
}

/** The first lines of a paper: its title, who issues it, and its facts. Returns where to go on. */
export function drawHead(
  pdf: Document,
  { title, issuer, facts }: { title: string; issuer: string; facts: [name: string, value: string][] },
): number {
  const x = widthOf(pdf, title, TITLE_SIZE) + 12;
  write(pdf, title, MARGIN - 4, { size: TITLE_SIZE, isStrong: true });
  // A long name is written smaller; what still does not fit is whole further down.
  const size = Math.max(8, Math.min(13, (13 * (WIDTH - x)) / widthOf(pdf, issuer, 13)));
  write(pdf, issuer, MARGIN + 19 - size, { x, align: 'right', size, isStrong: true, colour: SOFT });
  let y = MARGIN + 42;
  for (const [name, value] of facts) {
    write(pdf, name, y, { width: 110, isStrong: true });
    y += writeWhole(pdf, value, y, { x: 112, step: 15 });
  }
  return y + 20;
}

/** A thin line over the whole width. */
export function rule(pdf: Document, y: number, { x = 0, colour = LINE }: { x?: number; colour?: string } = {}): void {
  pdf
    .moveTo(MARGIN + x, y)
    .lineTo(MARGIN + WIDTH, y)
    .lineWidth(0.75)
    .strokeColor(colour)
    .stroke();
}

/** Begins a page unless there is room for this height. Returns where to go on. */
export function roomFor(pdf: Document, y: number, height: number): number {
  if (y + height <= BOTTOM) return y;
  pdf.addPage();
  return MARGIN;
}

/** The foot of each page, and what numbers it. */
export function drawFeet(pdf: Document, text: string): void {
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(page);
    const y = HEIGHT - MARGIN + 8;
    rule(pdf, y - 10);
    write(pdf, text, y, { width: WIDTH - 90, colour: SOFT, size: 8 });
    const place = { x: WIDTH - 90, width: 90, align: 'right', colour: SOFT, size: 8 } as const;
    write(pdf, `Page ${page + 1} of ${count}`, y, place);
  }
}
