import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { drawInvoice, type InvoicePaper } from '../../../base/pdf/invoicePdf.ts';
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
  expect([isPrintable('Łódź, Straße, İzmir'), isPrintable('東京'), printableOf('a東b')]).toEqual([true, false, 'a?b']);
});

test('a long invoice goes on over pages, each with its foot', async () => {
  const pagesOf = async (rows: number) =>
    (await drawInvoice(paper(rows))).toString('latin1').match(/\/Type \/Page\b/g)!.length;
  expect([await pagesOf(1), await pagesOf(40)]).toEqual([1, 4]);
});
