import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { StopFilter } from '../../../engines/text/generation.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 20 });
const stops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 3 }), {
  maxLength: 3,
});

describe('stop texts', () => {
  test('end the text at the first of them, and without one no text is lost', () => {
    fc.assert(
      fc.property(text, stops, (whole, wanted) => {
        const filter = new StopFilter(wanted);
        let shown = '';
        for (const character of whole) if (!filter.stopped) shown += filter.push(character);
        if (!filter.stopped) shown += filter.flush();
        expect(filter.stopped).toBe(wanted.some((stop) => whole.includes(stop)));
        expect(whole.startsWith(shown)).toBe(true);
        expect(wanted.some((stop) => shown.includes(stop))).toBe(false);
        if (!filter.stopped) expect(shown).toBe(whole);
      }),
    );
  });

  test('do not apply to texts with the exempt start', () => {
    const filter = new StopFilter(['x'], '<call>');
    expect(['<ca', 'll>', 'x', 'y'].map((piece) => filter.push(piece)).join('')).toBe('<call>xy');
    expect(filter.stopped).toBe(false);
  });
});
