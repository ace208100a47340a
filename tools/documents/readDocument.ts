import { runBounded } from './boundedProcess.ts';
import type { Sheet } from './reader/sheet.ts';

/** A kind of file whose text is read by a separate process. */
export type DocumentKind = 'pdf' | 'office' | 'page';

const PDF_SIGNATURE = '%PDF-';
/** An archive, and the compound files of old or locked documents. */
const OFFICE_SIGNATURES = ['PK\u0003\u0004', '\u00d0\u00cf\u0011\u00e0'];
const OFFICE_NAME = /\.(?:xls[xm]?|doc[xm]?|ppt[xm]?)$/i;

/** The kind of a document, by its first bytes and its name; undefined for other files. */
export function documentKindOf(bytes: Uint8Array, path: string): DocumentKind | undefined {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (head.startsWith(PDF_SIGNATURE)) return 'pdf';
  if (OFFICE_NAME.test(path) && OFFICE_SIGNATURES.some((signature) => head.startsWith(signature))) return 'office';
  return /\.(?:html?|xhtml)$/i.test(path) ? 'page' : undefined;
}

/** Whether a file name is a workbook's. */
export const isWorkbook = (path: string): boolean => /\.xls[xm]$/i.test(path);

const FAILURES: Record<DocumentKind, string> = {
  pdf: 'The PDF gave no text: it is damaged, locked, or needs too much time or memory.',
  office: 'The document gave no text: it is damaged, or needs too much time or memory.',
  page: 'The page gave no text: it needs too much time or memory.',
};

const PARSER = ['htmlparser2', 'domelementtype', 'domhandler', 'domutils', 'dom-serializer', 'entities'];
const PACKAGES: Record<DocumentKind, string[]> = { pdf: ['unpdf'], office: PARSER, page: PARSER };

/**
 * The text of a document: of a PDF page by page, of others with headings, lists, links and tables as Markdown. Throws DocumentError when it
 * cannot be read, the signal's reason when that is aborted.
 */
export async function documentText(kind: DocumentKind, input: Uint8Array, signal: AbortSignal): Promise<string> {
  const failureText = FAILURES[kind];
  const task = { script: 'reader/main.ts', args: [kind], input, packages: PACKAGES[kind], failureText, signal };
  return (await runBounded(task)).toString();
}

/** The rows of a CSV text, as the only sheet. Throws as `documentText`. */
export async function csvSheets(text: string, signal: AbortSignal): Promise<Sheet[]> {
  const failureText = 'The CSV file was not read: it needs too much time or memory.';
  const task = { script: 'reader/main.ts', args: ['csv'], input: Buffer.from(text), packages: [], failureText, signal };
  return JSON.parse((await runBounded(task)).toString());
}

/** The sheets of a workbook as JSON text: a list of `{name, rows}`, with numbers, texts, and dates as texts. Throws as `documentText`. */
export async function workbookJson(input: Uint8Array, signal: AbortSignal): Promise<string> {
  const failureText = FAILURES.office;
  const task = { script: 'reader/main.ts', args: ['sheets'], input, packages: PARSER, failureText, signal };
  return (await runBounded(task)).toString();
}
