import { expect, test } from '@jest/globals';
import { agoText } from '../../console/src/parts/agoText.ts';
import { priceText } from '../../console/src/parts/priceText.ts';
import { productName, PRODUCTS } from '../../console/src/parts/productNames.ts';
import { PRODUCT_NAMES } from '../../db/catalog/products.ts';

const NOW = Date.parse('2026-11-29T12:00:00Z');

test.each([
  ['2026-11-29T11:59:40Z', 'just now'],
  ['2026-11-29T11:57:00Z', '3m ago'],
  ['2026-11-27T11:00:00Z', '2d ago'],
  ['2026-11-30T13:00:00Z', 'in 1d'],
  // A month away, days are not counted any more.
  ['2026-10-10T12:00:00Z', '10 Oct 2026'],
  ['2027-02-03T12:00:00Z', '3 Feb 2027'],
])('%s is %s', (at, text) => {
  expect(agoText(new Date(at), NOW)).toBe(text);
});

test('a price has its unit, and tokens are priced by the million', () => {
  expect(priceText(0.0000003, 'token')).toBe('$0.30 / 1M tokens');
  expect(priceText(0.002, 'call')).toBe('$0.002 / call');
  expect(priceText(0.01, null)).toBe('$0.01');
});

test('pages call the products as statements and invoices do', () => {
  const names = Object.fromEntries(PRODUCTS.map(({ value, label }) => [value, label]));
  expect(names).toEqual(PRODUCT_NAMES);
  expect(productName('batch')).toBe('Batches');
});
