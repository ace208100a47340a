import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extractText, getDocumentProxy } from 'unpdf';
import { drawInvoice, type InvoicePaper } from '../../../base/pdf/invoicePdf.ts';
import { drawHead, openPdf } from '../../../base/pdf/page.ts';
import { isPrintable, printableOf } from '../../../base/pdf/printable.ts';

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

test('both weights of the font have every letter that counts as printable', () => {
  const printable = Array.from({ length: 0x3000 }, (_one, code) => code).filter((code) =>
    isPrintable(String.fromCodePoint(code)),
  );
  expect(printable.length).toBeGreaterThan(300);
  for (const weight of [400, 600]) {
    const font = fontkit.create(readFileSync(new URL(`../../../base/pdf/fonts/geist-${weight}.ttf`, import.meta.url)));
    expect(printable.filter((code) => !font.hasGlyphForCodePoint(code)).map((code) => code.toString(16))).toEqual([]);
  }
  for (const name of ['Łódź, Straße, İzmir', 'ООО «Снег» № 7', 'Київ, Їжак, ґанок', 'Қазақстан', 'Đà Nẵng, Nguyễn'])
    expect(printableOf(name)).toBe(name);
  expect([isPrintable('東京'), printableOf('a東b')]).toEqual([false, 'a?b']);
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
