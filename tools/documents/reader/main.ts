import { writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { DocumentError } from '../documentError.ts';
import { createOutline, OutlineFull, type Outline } from './outline.ts';

const CHARACTERS_MAX = 2_000_000;

/**
 * The process that reads one document: gets it by standard input and writes its text, or its sheets as JSON, to standard output. Exit code
 * 3 means that standard error has a message for the model. A hostile file affects only this process.
 */
const file = await buffer(process.stdin);
try {
  await read(process.argv[2] ?? '');
} catch (error) {
  if (!(error instanceof DocumentError)) throw error;
  writeFileSync(2, error.message);
  process.exit(3);
}

async function read(form: string): Promise<void> {
  if (form === 'pdf') {
    const { pdfPages } = await import('./pdf.ts');
    for (const page of await pdfPages(file, CHARACTERS_MAX)) process.stdout.write(page);
  } else if (form === 'sheets') {
    const { sheetsIn } = await import('./officeDocument.ts');
    process.stdout.write(JSON.stringify(sheetsIn(file)));
  } else if (form === 'csv') {
    const { csvSheet } = await import('./csv.ts');
    process.stdout.write(JSON.stringify([csvSheet(file.toString())]));
  } else if (form === 'page') {
    const { readPage } = await import('./page.ts');
    process.stdout.write(outlined((outline) => readPage(file.toString(), outline)));
  } else {
    const { readOfficeDocument } = await import('./officeDocument.ts');
    process.stdout.write(outlined((outline) => readOfficeDocument(file, outline)));
  }
}

function outlined(readInto: (outline: Outline) => void): string {
  const outline = createOutline(CHARACTERS_MAX);
  try {
    readInto(outline);
    return outline.text();
  } catch (error) {
    if (!(error instanceof OutlineFull)) throw error;
    return `${outline.text()}\n[The rest is cut: only the first ${CHARACTERS_MAX} characters are read.]`;
  }
}
