import { buffer } from 'node:stream/consumers';
import { getDocumentProxy } from 'unpdf';

const PAGES_MAX = 500;
const CHARACTERS_MAX = 2_000_000;

// Runs in a separate process: reads a PDF, writes its text. A hostile file only affects this process.
const bytes = await buffer(process.stdin);
const pdf = await getDocumentProxy(new Uint8Array(bytes), { useSystemFonts: false, verbosity: 0 });
let left = CHARACTERS_MAX;
for (let page = 1; page <= Math.min(pdf.numPages, PAGES_MAX) && left > 0; page++) {
  const text = `[Page ${page} of ${pdf.numPages}]\n${await pageText(page)}\n`.slice(0, left);
  left -= text.length;
  process.stdout.write(text);
}

async function pageText(number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
}
