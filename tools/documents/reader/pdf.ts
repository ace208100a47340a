import { getDocumentProxy } from 'unpdf';

const PAGES_MAX = 500;

/** The text of a PDF, one piece per page. A page without text is described instead. */
export async function pdfPages(bytes: Uint8Array, charactersMax: number): Promise<string[]> {
  const hasPictures = holdsPictures(bytes);
  const pdf = await getDocumentProxy(new Uint8Array(bytes), { useSystemFonts: false, verbosity: 0 });
  const texts: string[] = [];
  let left = charactersMax;
  for (let number = 1; number <= Math.min(pdf.numPages, PAGES_MAX) && left > 0; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    texts.push(text.slice(0, left));
    left -= text.length;
  }
  const isScan = hasPictures && texts.every(isBlank);
  const note = isScan ? SCANNED : hasPictures ? MAY_BE_PICTURE : EMPTY;
  return texts.map((text, at) => `[Page ${at + 1} of ${pdf.numPages}]\n${isBlank(text) ? note : text}\n`);
}

const SCANNED = '[The page is a picture, as of a scan, and has no text.]';
const MAY_BE_PICTURE = '[No text: the page is a picture or empty.]';
const EMPTY = '[No text: the page is empty or drawn.]';

const isBlank = (text: string) => text.trim() === '';

// Headers of pictures are never compressed. To find those of one page, pdf.js would decode all of them.
const holdsPictures = (bytes: Uint8Array) => /\/Subtype\s*\/Image\b/.test(Buffer.from(bytes).toString('latin1'));
