import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { DocumentError } from '../../../tools/documents/documentError.ts';
import { documentText, type DocumentKind } from '../../../tools/documents/readDocument.ts';
import { pdfOf } from './pdfBytes.ts';

const ROUNDS = 60;
const CHANGES_MAX = 20;
const { signal } = new AbortController();
const sample = (name: string) => readFileSync(join(import.meta.dirname, 'samples', name));

test.each<[string, DocumentKind, Uint8Array]>([
  ['XLSX', 'office', sample('sales.xlsx')],
  ['DOCX', 'office', sample('report.docx')],
  ['PPTX', 'office', sample('plan.pptx')],
  ['HTML', 'page', Buffer.from('<table><tr><td><a href="x">y</a><ul><li>z'.repeat(20))],
  ['PDF', 'pdf', pdfOf(['Total'], 3)],
])('%s with changed bytes gives a text or an error of the document', async (_name, kind, whole) => {
  const outcomes = Array.from({ length: ROUNDS }, async (_, seed) => {
    try {
      return typeof (await documentText(kind, changed(whole, seed), signal));
    } catch (error) {
      return error instanceof DocumentError ? 'refused' : error;
    }
  });
  const unexpected = (await Promise.all(outcomes)).filter((outcome) => outcome !== 'string' && outcome !== 'refused');
  expect(unexpected).toEqual([]);
});

/** The bytes with up to twenty changes: overwritten, cut out or repeated. The same seed gives the same changes. */
function changed(whole: Uint8Array, seed: number): Uint8Array {
  const random = createRandom(seed + 1);
  let bytes = Buffer.from(whole);
  for (let left = 1 + random(CHANGES_MAX); left > 0; left--) {
    const at = random(bytes.length);
    const end = Math.min(bytes.length, at + 1 + random(8));
    const middle = [
      Buffer.of(random(256)),
      Buffer.of(),
      Buffer.concat([bytes.subarray(at, end), bytes.subarray(at, end)]),
    ];
    bytes = Buffer.concat([bytes.subarray(0, at), middle[random(middle.length)]!, bytes.subarray(end)]);
  }
  return bytes;
}

/** Numbers below a limit, by the generator of Park and Miller. */
function createRandom(seed: number): (below: number) => number {
  let state = seed * 7919;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
