import {
  drawFeet,
  drawHead,
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
import { drawTable, type PaperRow } from './table.ts';

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

/** An invoice as a PDF. */
export function drawInvoice(paper: InvoicePaper): Promise<Buffer> {
  const { pdf, done } = openPdf(`Invoice ${paper.number}`);
  if (paper.isTest) drawTestStrip(pdf);
  let y = drawHead(pdf, { title: 'Invoice', issuer: paper.seller[0]!, facts: paper.facts });
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
