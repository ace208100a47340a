import { expect, test } from '@jest/globals';
import { agoText } from '../../console/src/parts/agoText.ts';
import { durationText } from '../../console/src/parts/durationText.ts';
import { priceText } from '../../console/src/parts/priceText.ts';
import { productName, PRODUCTS } from '../../console/src/parts/productNames.ts';
import { EVENT_TYPES, isOfPublisher } from '../../console/src/webhooks/eventTypes.ts';
import { PUBLISHER_EVENT_TYPES } from '../../db/events/eventTypes.ts';
import { UNITS } from '../../console/src/catalog/units.ts';
import { CALL_UNITS } from '../../db/catalog/catalogFile.ts';
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

test.each([
  [null, '—'],
  [840, '840 ms'],
  // Nothing rounds up to a thousand milliseconds, or to sixty seconds.
  [999.7, '1.00 s'],
  [1_240, '1.24 s'],
  [42_000, '42.0 s'],
  [59_970, '1 min'],
  [72_400, '1 min 12 s'],
  [3_599_700, '1 h'],
  [7_500_000, '2 h 5 min'],
  [86_390_000, '1 d'],
  [273_600_000, '3 d 4 h'],
])('%s ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
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

test('every unit of calls has a name on the pages about prices (console/src/catalog/units.ts)', () => {
  expect(Object.keys(UNITS).toSorted()).toEqual(CALL_UNITS.toSorted());
});

test('who publishes is offered the events that the API lets them have', () => {
  expect(Object.keys(EVENT_TYPES).filter(isOfPublisher).toSorted()).toEqual(PUBLISHER_EVENT_TYPES.toSorted());
});
