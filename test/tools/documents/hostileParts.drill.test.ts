import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { documentText, workbookJson } from '../../../tools/documents/readDocument.ts';
import { retime } from '../../support/clock.ts';
import { changedSample, faultOf } from './officeFiles.ts';

// Files of Word, Excel and PowerPoint, with one part changed to cost much: each used to take a reader's whole time, or crash it.
const MIB = 1024 * 1024;
const { signal } = new AbortController();
const office = (bytes: Buffer) => documentText('office', bytes, signal);

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const related =
  (id: string, type: string, target: string, more = '') =>
  (part: string) =>
    part.replace(
      '</Relationships>',
      `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"${more}/></Relationships>`,
    );
const report = (body: string, more: Record<string, (part: string) => string> = {}) =>
  changedSample('report.docx', {
    'word/document.xml': (part) => part.replace('</w:body>', `${body}</w:body>`),
    ...more,
  });
const sales = (rows: string, more: Record<string, (part: string) => string> = {}) =>
  changedSample('sales.xlsx', {
    'xl/worksheets/sheet1.xml': () => `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...more,
  });
const strings = (text: string) => ({
  'xl/_rels/workbook.xml.rels': related('rStrings', 'sharedStrings', 'sharedStrings.xml'),
  'xl/sharedStrings.xml': () => `<sst><si><t>${text}</t></si></sst>`,
});
const styles = (formatCode: string) => ({
  'xl/styles.xml': () =>
    `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${formatCode}"/></numFmts></styleSheet>`,
});
const numbering = (part: string) => ({ 'word/numbering.xml': () => `<w:numbering>${part}</w:numbering>` });
const times = (count: number, of: (at: number) => string) => Array.from({ length: count }, (_, at) => of(at)).join('');
const paragraph = (text: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const list = (level: number) => `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`;

// On a busy machine a reader may take longer than its limit.
beforeEach(() => retime({ fromMs: 15_000, toMs: 120_000 }));
afterEach(() => void jest.restoreAllMocks());

describe('a document is read to its end', () => {
  test.each([
    ['with a million blanks before a word', report(paragraph(`${' '.repeat(MIB)}word`)), /\nword$/],
    [
      'with lists of 60,000 levels',
      report(
        paragraph('item', list(8)),
        numbering(
          `<w:abstractNum w:abstractNumId="1">${times(60_000, (at) => `<w:lvl w:ilvl="${at}"><w:numFmt w:val="bullet"/></w:lvl>`)}</w:abstractNum>` +
            times(100_000, (at) => `<w:num w:numId="${at}"><w:abstractNumId w:val="1"/></w:num>`),
        ),
      ),
      /- item$/,
    ],
    [
      'with 60,000 lists',
      report(
        paragraph('item', list(0)),
        numbering(
          times(
            60_000,
            (at) =>
              `<w:abstractNum w:abstractNumId="${at}"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>`,
          ) + times(100_000, (at) => `<w:num w:numId="${at}"><w:abstractNumId w:val="none"/></w:num>`),
        ),
      ),
      /- item$/,
    ],
    ['with a level below the first', report(paragraph('item', list(-5))), /\n- item$/],
    [
      'with elements named as members of a prototype',
      report('<w:p><w:r><w:t>a</w:t><w:constructor/><w:toString/><w:t>b</w:t></w:r></w:p>'),
      /\nab$/,
    ],
    ['with a comment of 60 MiB that stays open', report(`<!--${'a'.repeat(60 * MIB)}`), /End\.$/],
    ['with a name of 30 MiB', report(`<w:${'a'.repeat(30 * MIB)}/>`), /End\.$/],
    ['with a format of a million brackets', sales('<row><c><v>7</v></c></row>', styles('['.repeat(MIB))), /\| 7 \|/],
    [
      'with a format of a million letters',
      sales('<row><c><v>7</v></c></row>', styles(`${'mx'.repeat(MIB)}0`)),
      /\| 7 \|/,
    ],
    [
      'with a slide whose texts are below the first level',
      changedSample('plan.pptx', {
        'ppt/slides/slide1.xml': (part) => part.replaceAll('<a:p>', '<a:p><a:pPr lvl="-4"/>'),
      }),
      /\w/,
    ],
  ])('%s', async (_what, bytes, text) => {
    expect(await office(bytes)).toMatch(text);
  });
});

test('a page is read to its end with a million blanks before a word', async () => {
  const page = Buffer.from(`<pre>${' '.repeat(MIB)}word</pre>`);
  expect((await documentText('page', page, signal)).trim()).toBe('word');
});

describe('a document with more than is read is cut', () => {
  const CUT = /only the first 2000000 characters are read\.\]$/;
  test.each([
    ['by its characters, each as an entity', report(paragraph('&#120;'.repeat(8 * MIB)))],
    [
      'by 20 MiB of an address that 100,000 links share',
      report(`<w:p>${'<w:hyperlink r:id="rL"><w:t>a</w:t></w:hyperlink>'.repeat(100_000)}</w:p>`, {
        'word/_rels/document.xml.rels': related(
          'rL',
          'hyperlink',
          `http://e/${'x'.repeat(20 * MIB)}`,
          ' TargetMode="External"',
        ),
      }),
    ],
    [
      'by a text of 30 MiB that 200,000 cells share',
      sales(`<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(2_000), strings('s'.repeat(30 * MIB))),
    ],
    ['by a million rows', report(`<w:tbl>${'<w:tr><w:tc><w:p/></w:tc></w:tr>'.repeat(MIB)}</w:tbl>`)],
  ])('%s', async (_what, bytes) => {
    expect(await office(bytes)).toMatch(CUT);
  });
});

describe('a document beyond a limit is refused by it', () => {
  const shared = sales(`<row>${'<c t="s"><v>0</v></c>'.repeat(100)}</row>`.repeat(1_000), strings('s'.repeat(32_000)));
  const sheets = changedSample('sales.xlsx', {
    'xl/workbook.xml': (part) =>
      part.replace(
        /<sheets>[^]*<\/sheets>/,
        `<sheets>${'<sheet name="S" sheetId="1" r:id="rId1"/>'.repeat(1_001)}</sheets>`,
      ),
  });
  const slides = changedSample('plan.pptx', {
    'ppt/presentation.xml': (part) => part.replace(/<p:sldId [^>]*>/, (slide) => slide.repeat(5_001)),
  });
  test.each([
    [
      'of attributes',
      office,
      report(`<w:p ${times(1_001, (at) => `a${at}="1" `)}/>`),
      'The document has an element of more than 1000 attributes.',
    ],
    [
      'of elements',
      office,
      report('<w:p/>'.repeat(5_000_001)),
      'The document has a part of more than 5000000 elements.',
    ],
    [
      'of depth, on a slide',
      office,
      changedSample('plan.pptx', { 'ppt/slides/slide1.xml': () => '<p:grpSp>'.repeat(100_000) }),
      'The document is nested too deeply to read.',
    ],
    ['of sheets', office, sheets, 'The workbook has more than 1000 sheets.'],
    ['of slides', office, slides, 'The presentation has more than 5000 slides.'],
    [
      'of characters as data',
      (bytes: Buffer) => workbookJson(bytes, signal),
      shared,
      'The workbook has more than 8000000 characters.',
    ],
  ])('%s', async (_what, readAll, bytes, message) => {
    expect(await faultOf(readAll(bytes))).toBe(message);
  });
});

test('parts outside of a document are not fetched, as links, templates, notes, pictures or document types', async () => {
  const asked: string[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url!);
    response.end('fetched');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const outside = ' TargetMode="External"';
  const types = [
    'attachedTemplate',
    'footnotes',
    'styles',
    'numbering',
    'image',
    'oleObject',
    'aFChunk',
    'subDocument',
  ];
  const relations = types.map((type, at) => related(`rX${at}`, type, `${address}/${type}`, outside));
  const files = related('rF', 'footnotes', '../../../../etc/passwd');
  const doctype = `<!DOCTYPE w [<!ENTITY x SYSTEM "${address}/entity"><!ENTITY % p SYSTEM "${address}/type.dtd">%p;]>`;
  const bytes = report(paragraph('&x;') + times(types.length, (at) => `<w:altChunk r:id="rX${at}"/>`), {
    'word/_rels/document.xml.rels': (part) => [...relations, files].reduce((all, add) => add(all), part),
    'word/settings.xml': (part) => doctype + part,
  });
  try {
    const text = await office(bytes);
    expect(text).toMatch(/&x;$/);
    expect(text).not.toMatch(/root:|fetched/);
    expect(asked).toEqual([]);
  } finally {
    server.close();
  }
});
