import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { documentKindOf, documentText, workbookJson } from '../../../tools/documents/readDocument.ts';
import { changedSample, docxOf, xlsxOf } from './officeFiles.ts';

const { signal } = new AbortController();
const sample = (name: string) => readFileSync(join(import.meta.dirname, 'samples', name));
const office = (bytes: Buffer) => documentText('office', bytes, signal);
const page = (html: string) => documentText('page', Buffer.from(html), signal);

describe('a workbook', () => {
  test('of openpyxl has its sheets as tables, with dates, times, numbers, truth values and formulas', async () => {
    expect(await office(sample('sales.xlsx'))).toBe(`# Sheet 1 of 3: Sales

| Month | Region | Amount | Share | Paid | At |
| --- | --- | --- | --- | --- | --- |
| 2026-01-01 | North | 1200.5 | 0.25 | true | 2026-01-01 09:30:00 |  | 12:30:00 |
| 2026-01-01 | South | 900 | 0.25 | true | 2026-01-01 09:30:00 |
| 2026-02-01 | North | 1300.25 | 0.25 | true | 2026-02-01 09:30:00 |
| 2026-02-01 | South | 700.1 | 0.25 | true | 2026-02-01 09:30:00 |
|  |  | =SUM(C2:C5) |
| a \\| b next |

# Sheet 2 of 3: Notes (hidden)

|  | far |
| --- | --- |

# Sheet 3 of 3: Empty

The sheet is empty.`);
  });

  test('is also given as data', async () => {
    const [sales, notes, empty] = JSON.parse(await workbookJson(sample('sales.xlsx'), signal));
    expect(sales.rows[1]).toEqual(['2026-01-01', 'North', 1200.5, 0.25, true, '2026-01-01 09:30:00', null, '12:30:00']);
    expect([notes, empty]).toEqual([
      { name: 'Notes', rows: [[null, 'far']] },
      { name: 'Empty', rows: [] },
    ]);
  });

  test('gives stored values of formulas, texts of cells, errors, and numbers as they are shown', async () => {
    const rows =
      '<row><c r="A1"><f>B1*2</f><v>0.30000000000000004</v></c><c t="str"><f>A1&amp;"x"</f><v>joined</v></c>' +
      '<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c><c t="e"><v>#DIV/0!</v></c><c t="b"><v>0</v></c></row>';
    expect(await office(xlsxOf(rows))).toContain('| 0.3 | joined | inline | #DIV/0! | false |');
  });
});

describe('a document', () => {
  test('of Word has headings, lists and tables', async () => {
    expect(await office(sample('report.docx'))).toBe(`# Report

# Findings

First paragraph with words.

- one
- two
1. step

| Name | Sum |
| --- | --- |
| A\\|B | 42 |

### Deep

End.`);
  });

  test('keeps one form of a drawing, and leaves out removed text and field codes', async () => {
    const body =
      '<w:p><w:r><w:t>kept </w:t></w:r><w:del><w:r><w:delText>removed</w:delText></w:r></w:del><w:instrText>PAGE</w:instrText>' +
      '<mc:AlternateContent><mc:Choice><w:r><w:t>once</w:t></w:r></mc:Choice><mc:Fallback><w:t>once</w:t></mc:Fallback></mc:AlternateContent></w:p>';
    expect(await office(docxOf(body))).toBe('kept once');
  });

  test('of pictures alone says so, as a slide does', async () => {
    const picture = '<w:p><w:r><w:drawing><wp:docPr id="1" name="scan"/><pic:pic/></w:drawing></w:r></w:p>';
    expect(await office(docxOf(picture))).toBe('[The document is made of pictures, and has no text.]');
    expect(await office(docxOf(`${picture}<w:p><w:r><w:t>Text.</w:t></w:r></w:p>`))).toBe('Text.');
    const slide = '<p:sld><p:cSld><p:spTree><p:pic/></p:spTree></p:cSld></p:sld>';
    const slides = changedSample('plan.pptx', { 'ppt/slides/slide1.xml': () => slide });
    expect(await office(slides)).toMatch(/^# Slide 1 of \d+\n\n\[The slide is a picture, and has no text\.\]/);
  });

  test('flattens a table within a table', async () => {
    const cell = (content: string) => `<w:tc>${content}</w:tc>`;
    const text = (content: string) => `<w:p><w:t>${content}</w:t></w:p>`;
    const inner = `<w:tbl><w:tr>${cell(text('b'))}${cell(text('c'))}</w:tr></w:tbl>`;
    const table = `<w:tbl><w:tr>${cell(text('a') + inner)}${cell(text('d'))}</w:tr></w:tbl>`;
    expect(await office(docxOf(table))).toBe('| a b c | d |\n| --- | --- |');
  });
});

test('slides are read by number, with titles, lists, tables and notes', async () => {
  expect(await office(sample('plan.pptx'))).toBe(`# Slide 1 of 2

## Plan

- First point
  - Second point

Notes: Say hello.

# Slide 2 of 2

## Numbers

| Year | USD |
| --- | --- |
| 2026 | 7 |

A note`);
});

describe('a page', () => {
  test('has its title, headings, links, lists and tables', async () => {
    const html = `<head><title>The page</title><style>p{}</style></head><h1>Head <b>bold</b></h1>
      <p>See <a href="https://a.example/x">the\n link</a> and <a href="#x">anchor</a>.
      <ul><li>one<li>two <ol><li>deep</ol></ul><table><tr><th>A<th>B<tr><td>1<td>2 | 3</table><pre>a\n  b</pre>`;
    expect(await page(html)).toBe(`Title: The page

# Head bold

See [the link](https://a.example/x) and anchor.

- one
- two
  1. deep

| A | B |
| --- | --- |
| 1 | 2 \\| 3 |

a
  b`);
  });

  test.each([
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['<b>bo</b>ld <i>and</i>\n  <a href="x">link</a>', 'bold and [link](x)'],
    ['<a href="javascript:alert(1)">no</a> <a href=y><div>block</div></a>', 'no\n\n[block](y)'],
    ['<table><tr><td><table><tr><td>1<td>2</table><td>x</table>', '| 1, 2 | x |\n| --- | --- |'],
    ['<script>if (a < b) "</p>"</script>x<style>p{}</style>', 'x'],
    ['x<script>never closed', 'x'],
    ['x<!-- never closed', 'x'],
    ['x<a href="', 'x'],
    ['&lt;b&gt; &amp;amp; &#65;&#x42; &euro; &unknown;', '<b> &amp; AB € &unknown;'],
    ['<img alt="A dog" src=x>', '[Picture: A dog]'],
    ['', ''],
  ])('%j becomes %j', async (html, text) => {
    expect(await page(html)).toBe(text);
  });
});

test.each([
  ['a.xlsx', 'PK\u0003\u0004', 'office'],
  ['a.xlsx', 'name,amount', undefined],
  ['a.zip', 'PK\u0003\u0004', undefined],
  ['a.doc', '\u00d0\u00cf\u0011\u00e0', 'office'],
  ['a.htm', '<p>', 'page'],
  ['a', '%PDF-1.7', 'pdf'],
])('%s that begins with %j is of the kind %s', (path, head, kind) => {
  expect(documentKindOf(Buffer.from(head, 'latin1'), path)).toBe(kind);
});
