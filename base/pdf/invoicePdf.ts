import {
  drawFeet,
  INK,
  openPdf,
  ORANGE,
  roomFor,
  rule,
  SOFT,
  WIDTH,
  write,
  writeWhole,
  MARGIN,
  type Document,
} from './page.ts';

/** A row of a table: what it is, a second line about it, and its amounts, each a column. */
export interface PaperRow {
  text: string;
  note?: string;
  amounts: string[];
  isStrong?: boolean;
}

/** The texts of an invoice, as they stand on paper. */
export interface InvoicePaper {
  number: string;
  isTest: boolean;
  facts: [name: string, value: string][];
  /** Name first, then the lines of the address and of the tax number. */
  seller: string[];
  customer: string[];
  headline: string;
  purchases: PaperRow[];
  totals: [name: string, amount: string, isStrong?: boolean][];
  /** What the balance was used for, from its start to its end. */
  balance: PaperRow[];
  notes: string[];
  foot: string;
}

const ROW = 22;

/** An invoice as a PDF. */
export function drawInvoice(paper: InvoicePaper): Promise<Buffer> {
  const { pdf, done } = openPdf(`Invoice ${paper.number}`);
  if (paper.isTest) drawTestStrip(pdf);
  let y = drawHead(pdf, paper);
  y = drawParties(pdf, paper, y);
  write(pdf, paper.headline, y, { size: 15, isStrong: true });
  y = drawTable(pdf, ['Description', 'Amount', 'Tax', 'Total'], paper.purchases, y + 36);
  y = drawTotals(pdf, paper.totals, y);
  y = roomFor(pdf, y + 26, 90);
  write(pdf, 'Use of the prepaid credit', y, { size: 12, isStrong: true });
  write(pdf, 'This is not charged again: it was paid from the balance.', y + 17, { colour: SOFT });
  y = drawTable(pdf, ['Change of the balance', 'Requests', 'US dollars'], paper.balance, y + 42);
  drawNotes(pdf, paper.notes, y + 18);
  drawFeet(pdf, paper.foot);
  pdf.end();
  return done;
}

function drawTestStrip(pdf: Document): void {
  pdf.rect(0, 0, 2 * MARGIN + WIDTH, 26).fill(ORANGE);
  write(pdf, 'TEST: an invoice of a test workspace. No money has moved.', 8, { colour: '#ffffff', isStrong: true });
}

function drawHead(pdf: Document, { seller, facts }: InvoicePaper): number {
  write(pdf, 'Invoice', MARGIN - 4, { size: 24, isStrong: true, width: 240 });
  write(pdf, seller[0]!, MARGIN + 6, { x: 240, align: 'right', size: 13, isStrong: true, colour: SOFT });
  let y = MARGIN + 42;
  for (const [name, value] of facts) {
    write(pdf, name, y, { width: 110, isStrong: true });
    y += writeWhole(pdf, value, y, { x: 112, step: 15 });
  }
  return y + 20;
}

/** Who issues it, and whom it is for: side by side. */
function drawParties(pdf: Document, { seller, customer }: InvoicePaper, y: number): number {
  const half = WIDTH / 2;
  const draw = (title: string, lines: string[], x: number): number => {
    const width = half - 16;
    write(pdf, title, y, { x, width, colour: SOFT });
    let bottom = y + 16;
    for (const [at, line] of lines.entries())
      bottom += writeWhole(pdf, line, bottom, { x, width, step: 14, isStrong: at === 0 });
    return bottom;
  };
  return Math.max(draw('From', seller, 0), draw('Bill to', customer, half)) + 26;
}

/** The columns of amounts stand at the right, equally wide. */
const AMOUNT_WIDTH = 88;

function drawTable(pdf: Document, titles: string[], rows: PaperRow[], top: number): number {
  const count = titles.length - 1;
  const textWidth = WIDTH - count * AMOUNT_WIDTH;
  const placeOf = (column: number) =>
    ({ x: textWidth + column * AMOUNT_WIDTH, width: AMOUNT_WIDTH, align: 'right' }) as const;
  const drawTitles = (y: number) => {
    write(pdf, titles[0]!, y, { colour: SOFT, width: textWidth });
    for (const [column, title] of titles.slice(1).entries()) write(pdf, title, y, { ...placeOf(column), colour: SOFT });
    rule(pdf, y + 16, { colour: INK });
    return y + 24;
  };
  let y = drawTitles(top);
  for (const { text, note, amounts, isStrong = false } of rows) {
    const height = note === undefined ? ROW : ROW + 13;
    const next = roomFor(pdf, y, height);
    y = next === y ? y : drawTitles(next);
    write(pdf, text, y, { width: textWidth - 8, isStrong });
    if (note !== undefined) write(pdf, note, y + 13, { colour: SOFT, size: 8 });
    for (const [column, amount] of amounts.entries()) write(pdf, amount, y, { ...placeOf(column), isStrong });
    y += height;
    rule(pdf, y - 6);
  }
  return y;
}

function drawTotals(pdf: Document, totals: InvoicePaper['totals'], top: number): number {
  let y = roomFor(pdf, top + 4, totals.length * 21);
  const x = WIDTH / 2;
  for (const [name, amount, isStrong = false] of totals) {
    write(pdf, name, y, { x, width: 130, isStrong });
    write(pdf, amount, y, { x: x + 130, align: 'right', isStrong });
    y += 21;
    rule(pdf, y - 6, { x });
  }
  return y;
}

function drawNotes(pdf: Document, notes: string[], top: number): void {
  let y = top;
  for (const note of notes) {
    pdf.font('Text').fontSize(8);
    const height = pdf.heightOfString(note, { width: WIDTH });
    y = roomFor(pdf, y, height);
    pdf.fillColor(SOFT).text(note, MARGIN, y, { width: WIDTH });
    y += height + 6;
  }
}
