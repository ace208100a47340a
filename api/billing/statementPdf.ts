import { MARGIN, openPdf, WIDTH, type Document } from '../../base/pdf/page.ts';
import { printableOf } from '../../base/pdf/printable.ts';
import type { AccountStatement } from '../../db/accounting/statement.ts';
import { usdTextOf } from '../../db/money.ts';
import { rowsOf, type StatementRow } from './statementRows.ts';

const ROW = 20;
const BOTTOM = 841.89 - MARGIN - 24;
const [INK, SOFT, LINE] = ['#1a1d21', '#6b7280', '#d9dde3'];
// Columns of the table: left edge, width and alignment.
const COLUMNS = [
  { title: 'Change', x: 0, width: 160, align: 'left' },
  { title: 'Model or agent', x: 164, width: 136, align: 'left' },
  { title: 'Billed requests', x: 300, width: 80, align: 'right' },
  { title: 'US dollars', x: 384, width: WIDTH - 384, align: 'right' },
] as const;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** A statement as a PDF of A4 pages: the account, the month, and the rows that add up to the closing balance. */
export function renderStatement(
  statement: AccountStatement,
  { month, workspace, now }: { month: string; workspace: { id: string; name: string }; now: Date },
): Promise<Buffer> {
  const title = `Statement for ${monthText(month)}`;
  const { pdf, done } = openPdf(`Ledgerline: ${title}`);
  drawHead(pdf, title, [
    ['Workspace', workspace.name],
    ['Workspace id', workspace.id],
    ['Period', `${month}-01 to ${lastDayOf(month)} (UTC)`],
    ['Created', now.toISOString().slice(0, 16).replace('T', ' ') + ' UTC'],
  ]);
  drawRows(pdf, rowsOf(statement));
  drawEarned(pdf, statement);
  drawFeet(pdf, workspace.id);
  pdf.end();
  return done;
}

function drawHead(pdf: Document, title: string, facts: [string, string][]): void {
  pdf.font('Strong').fontSize(11).fillColor(SOFT).text('Ledgerline', MARGIN, MARGIN);
  pdf
    .fontSize(22)
    .fillColor(INK)
    .text(title, MARGIN, MARGIN + 18);
  let y = MARGIN + 58;
  for (const [name, value] of facts) {
    cell(pdf, name, { x: 0, width: 100, y, colour: SOFT });
    cell(pdf, value, { x: 104, width: WIDTH - 104, y });
    y += 15;
  }
  pdf.y = y + 18;
}

function drawRows(pdf: Document, rows: StatementRow[]): void {
  drawHeading(pdf, 'Balance');
  drawTitles(pdf);
  // All lines have as many decimals as the longest one, so that the points align.
  const decimals = Math.max(...rows.map(({ nanos }) => usdTextOf(nanos).split('.')[1]?.length ?? 0));
  for (const { line, label, spend, nanos } of rows) {
    const name = spend?.agent ?? spend?.model ?? '';
    const requests = spend ? grouped(String(spend.requests)) : '';
    drawCells(pdf, [label, name, requests, amountText(nanos, decimals)], { isBold: line.endsWith('_balance') });
  }
}

/** Beside the table, because it is not part of the balance. */
function drawEarned(pdf: Document, { earnedNanos }: AccountStatement): void {
  if (earnedNanos === 0n) return;
  const text = `Published agents earned ${amountText(earnedNanos)} USD. That is not part of the balance until it is paid out to it.`;
  cell(pdf, text, { x: 0, width: WIDTH, y: pdf.y + 12, colour: SOFT });
}

function drawHeading(pdf: Document, text: string): void {
  pdf.font('Strong').fontSize(13).fillColor(INK).text(text, MARGIN, pdf.y);
  pdf.y += 4;
  rule(pdf);
}

function drawTitles(pdf: Document): void {
  const y = pdf.y + 5;
  for (const { title, ...place } of COLUMNS) cell(pdf, title, { ...place, y, colour: SOFT });
  pdf.y = y + ROW - 5;
  rule(pdf);
}

function drawCells(pdf: Document, texts: string[], { isBold }: { isBold: boolean }): void {
  if (pdf.y + ROW > BOTTOM) {
    pdf.addPage();
    pdf.y = MARGIN;
    drawTitles(pdf);
  }
  const y = pdf.y + 5;
  for (const [index, { x, width, align }] of COLUMNS.entries())
    cell(pdf, texts[index]!, { x, width, align, y, isBold });
  pdf.y = y + ROW - 5;
  rule(pdf);
}

interface Cell {
  x: number;
  y: number;
  width: number;
  align?: 'left' | 'right';
  colour?: string;
  isBold?: boolean;
}

function cell(pdf: Document, text: string, { x, y, width, align = 'left', colour = INK, isBold = false }: Cell): void {
  const font = pdf.font(isBold ? 'Strong' : 'Text').fontSize(9.5);
  const features = align === 'right' ? ['tnum' as const] : [];
  const options = { width, align, lineBreak: false, height: ROW, ellipsis: true, features };
  font.fillColor(colour).text(printableOf(text), MARGIN + x, y, options);
}

function rule(pdf: Document): void {
  pdf
    .moveTo(MARGIN, pdf.y)
    .lineTo(MARGIN + WIDTH, pdf.y)
    .lineWidth(0.5)
    .strokeColor(LINE)
    .stroke();
}

function drawFeet(pdf: Document, workspaceId: string): void {
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(page);
    const y = 841.89 - MARGIN;
    cell(pdf, `Amounts are exact, as in the ledger of ${workspaceId}.`, { x: 0, width: WIDTH - 80, y, colour: SOFT });
    cell(pdf, `Page ${page + 1} of ${count}`, { x: WIDTH - 80, width: 80, y, align: 'right', colour: SOFT });
  }
}

// At least cents, and all further digits, because a call may cost millionths.
function amountText(nanos: bigint, decimals = 2): string {
  const [whole, fraction = ''] = usdTextOf(nanos).split('.');
  return `${grouped(whole!)}.${fraction.padEnd(Math.max(2, decimals), '0')}`;
}

const grouped = (digits: string): string => digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');

const monthText = (month: string): string => `${MONTHS[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;

const lastDayOf = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);
