import { getDocumentProxy } from 'unpdf';

const PAGES_MAX = 500;

/** The text of a PDF, a piece for each page. */
export async function* pdfPages(bytes: Uint8Array, charactersMax: number): AsyncGenerator<string> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { useSystemFonts: false, verbosity: 0 });
  let left = charactersMax;
  for (let number = 1; number <= Math.min(pdf.numPages, PAGES_MAX) && left > 0; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    const piece = `[Page ${number} of ${pdf.numPages}]\n${text}\n`.slice(0, left);
    left -= piece.length;
    yield piece;
  }
}
