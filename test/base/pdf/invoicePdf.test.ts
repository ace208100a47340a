import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extractText, getDocumentProxy } from 'unpdf';
import { drawInvoice, type InvoicePaper } from '../../../base/pdf/invoicePdf.ts';
import { drawHead, openPdf } from '../../../base/pdf/page.ts';
import { drawLine, drawLines, fromTheLeft } from '../../../base/pdf/rightToLeft.ts';
import { drawTable } from '../../../base/pdf/table.ts';
import { isPrintable, needsDejaVu, printableOf } from '../../../base/pdf/printable.ts';

interface Font {
  hasGlyphForCodePoint: (codePoint: number) => boolean;
}

// The library that draws the letters, which comes with pdfkit.
const fontkit = createRequire(import.meta.resolve('pdfkit'))('fontkit') as { create: (font: Buffer) => Font };

const paper = (rows: number): InvoicePaper => ({
  number: 'INV-000001',
  isTest: true,
  facts: [['Invoice number', 'INV-000001']],
  seller: ['Ledgerline'],
  customer: ['Północny Wiatr', 'Łódź'],
  headline: '$1.00 paid',
  purchases: Array.from({ length: rows }, () => ({
    text: 'Prepaid credit',
    note: '1 May 2026',
    amounts: ['$1.00', '$0.19', '$1.19'],
  })),
  totals: [['Total', '$1.00', true]],
  balance: Array.from({ length: rows }, () => ({ text: 'Text: a-model', amounts: ['1', '-0.000000001'] })),
  notes: ['A note.'],
  foot: 'INV-000001',
});

const NAMES = ['Ελληνική Εταιρεία Α.Ε.', 'Հայաստան ՍՊԸ', 'საქართველო'];

/** The texts of the pages of an invoice. */
async function textsOf(members: Partial<InvoicePaper>): Promise<string[]> {
  const bytes = await drawInvoice({ ...paper(1), ...members });
  return (await extractText(await getDocumentProxy(new Uint8Array(bytes)))).text;
}

test('both weights of the fonts have every letter that counts as printable', () => {
  const printable = Array.from({ length: 0x3000 }, (_one, code) => code).filter((code) =>
    isPrintable(String.fromCodePoint(code)),
  );
  expect(printable.length).toBeGreaterThan(700);
  for (const file of ['geist-400', 'geist-600', 'dejavu-400', 'dejavu-600']) {
    const font = fontkit.create(readFileSync(new URL(`../../../base/pdf/fonts/${file}.ttf`, import.meta.url)));
    const drawn = printable.filter((code) => file.startsWith('dejavu') || !needsDejaVu(String.fromCodePoint(code)));
    expect(drawn.filter((code) => !font.hasGlyphForCodePoint(code)).map((code) => code.toString(16))).toEqual([]);
  }
  for (const name of ['Łódź, Straße, İzmir', 'ООО «Снег» № 7', 'Київ, Їжак, ґанок', 'Қазақстан', 'Đà Nẵng, Nguyễn'])
    expect([printableOf(name), needsDejaVu(name)]).toEqual([name, false]);
  for (const name of [...NAMES, 'שלום', 'شركة']) expect([printableOf(name), needsDejaVu(name)]).toEqual([name, true]);
  expect([isPrintable('東京'), printableOf('a東b'), needsDejaVu(printableOf('a東b'))]).toEqual([false, 'a?b', false]);
});

test('Greek, Armenian and Georgian names are read back from an invoice as they were written', async () => {
  const [text] = await textsOf({ customer: NAMES, facts: NAMES.map((name) => ['Purchase order', name]) });
  for (const name of NAMES) expect(text!.split(name)).toHaveLength(3);
});

test.each([
  ['שלום עולם בע"מ 12', ['שלום', 'עולם', 'בע"מ', '12']],
  ['شركة النور للتجارة', ['شركة', 'النور', 'للتجارة']],
  ['Acme שלום עולם Ltd', ['Acme', 'שלום', 'עולם', 'Ltd']],
])('the words of %j stand whole on an invoice', async (name, words) => {
  const [text] = await textsOf({ customer: [name] });
  for (const word of words) expect(text).toContain(word);
});

test.each([
  ['one two', 'one two'],
  ['שלום עולם', 'עולם שלום'],
  ['שלום 12 עולם', 'עולם 12 שלום'],
  ['שלום Acme Ltd עולם', 'עולם Acme Ltd שלום'],
  ['Acme שלום עולם Ltd', 'Acme עולם שלום Ltd'],
  ['12 שלום', 'שלום 12'],
])('the words of %j stand in the order %j', (text, placed) => {
  expect(fromTheLeft(text.split(' ')).join(' ')).toBe(placed);
});

test('Hebrew lines are as wide as others at most, and the rest goes on below', async () => {
  const long = Array.from({ length: 60 }, (_one, at) => `מילה${at}`);
  const [text] = await textsOf({ facts: [['Purchase order', long.join(' ')]] });
  for (const word of long) expect(text).toContain(word.slice(4));
});

test('names in the tables of an invoice and of who issues it are not cut', async () => {
  const name = `northwind/${Array.from({ length: 14 }, (_one, at) => `part${at}`).join('-')}`;
  const seller = 'Ledgerline Deutschland Vertriebsgesellschaft mbH & Co. KG';
  const [text] = await textsOf({ seller: [seller], balance: [{ text: `Agents: ${name}`, amounts: ['1', '-0.5'] }] });
  expect(text!.replaceAll(/\s/g, '')).toContain(name);
  expect(text!.replaceAll(/\s+/g, ' ').split(seller)).toHaveLength(3);
  expect(text).not.toContain('…');
});

test.each(['word', 'מילה'])('a row of a table is as high as its text, also of many times %j', (word) => {
  const endWith = (text: string) => drawTable(openPdf('T').pdf, ['Of', 'USD'], [{ text, amounts: ['1'] }], 100);
  expect(endWith(`${word} `.repeat(100)) - endWith(word)).toBeGreaterThan(50);
});

/** A drawing in which each character is a point wide, and the parts that were drawn, from the left. */
function narrowDrawing() {
  const drawn: { text: string; x: number; y: number }[] = [];
  const drawing = {
    text: (text: string, x: number, y: number) => void drawn.push({ text, x, y }),
    widthOfString: (text: string) => text.length,
  };
  return { drawing, drawn };
}

test.each([
  ['שלום עולם', 9, 'עולם שלום'],
  ['שלום עולם טוב', 11, 'עולם… שלום'],
  ['שלום עולם טוב', 9, 'עול… שלום'],
  ['שלוםעולםטוב', 5, 'שלום…'],
  ['שלום 1234567', 9, '123… שלום'],
])('the line %j is cut at %i points to %j', (line, width, expected) => {
  const { drawing, drawn } = narrowDrawing();
  drawLine(drawing, line.split(' '), { x: 0, y: 0, width, align: 'left' });
  const words = Map.groupBy(drawn, ({ x }, at) =>
    at > 0 && x > drawn[at - 1]!.x + drawn[at - 1]!.text.length ? x : 0,
  );
  expect([...words.values()].map((parts) => parts.map(({ text }) => text).join('')).join(' ')).toBe(expected);
});

test('a Hebrew word that is wider than its place goes on below', () => {
  const { drawing, drawn } = narrowDrawing();
  expect(drawLines(drawing, ['שלוםעולםטוב', 'א'], { x: 0, y: 0, width: 5, align: 'left', step: 10 })).toBe(3);
  expect(drawn.map(({ text, y }) => [text, y])).toEqual([
    ['שלוםע', 0],
    ['ולםטו', 10],
    ['א', 20],
    ['ב', 20],
  ]);
});

test('names, addresses and orders of any length are whole', async () => {
  const long = (what: string) => Array.from({ length: 12 }, (_one, at) => `${what}${at}of${what}`).join(' ');
  const customer = [long('Company'), long('Street'), 'x'.repeat(160), '12345 City', 'Tax number DE123456789'];
  const facts: InvoicePaper['facts'] = [
    ['Purchase order', long('Order').slice(0, 100)],
    ['Period', 'May 2026'],
  ];
  const bytes = await drawInvoice({ ...paper(1), customer, facts, seller: [long('Seller'), long('Road')] });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  const joined = text.replaceAll(/\s+/g, '');
  for (const wanted of [...customer, ...facts.map(([, value]) => value), long('Road'), '$1.00 paid'])
    expect(joined).toContain(wanted.replaceAll(/\s+/g, ''));
});

test.each([
  ['Invoice', 'Artificial Intelligence Company Limited'],
  ['Statement for September 2026', 'Ledgerline'],
])('the title %j stands whole beside %j', async (title, issuer) => {
  const { pdf, done } = openPdf(title);
  drawHead(pdf, { title, issuer, facts: [] });
  pdf.end();
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await done)), { mergePages: true });
  expect(text).toBe(`${title} ${issuer}`);
});

test('amounts of any size are whole', async () => {
  const amounts = ['-9,876,543.123456789', '100,000.987654321', '12,345,678'];
  const balance = amounts.map((amount) => ({ text: 'Text: a-model', amounts: ['1,000,000', amount] }));
  const bytes = await drawInvoice({ ...paper(1), balance });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  for (const amount of amounts) expect(text).toContain(amount);
});

test('a long invoice goes on over pages, each with its foot', async () => {
  const pagesOf = async (rows: number) =>
    (await drawInvoice(paper(rows))).toString('latin1').match(/\/Type \/Page\b/g)!.length;
  expect([await pagesOf(1), await pagesOf(40)]).toEqual([1, 4]);
});
