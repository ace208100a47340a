import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { documentText } from '../../../tools/documents/readDocument.ts';
import { until } from '../../support/until.ts';
import { pdfBomb, pdfOf, pdfOfPages, pdfOfStates } from './pdfBytes.ts';
import { retime } from '../../support/clock.ts';
import { faultOf } from './officeFiles.ts';

const never = new AbortController().signal;
const pdfText = (bytes: Uint8Array, signal: AbortSignal) => documentText('pdf', bytes, signal);
const noText = 'The PDF gave no text: it is damaged, locked, or needs too much time or memory.';

describe('the text of a PDF', () => {
  afterEach(async () => {
    jest.restoreAllMocks();
    await until(() => readers().length === 0);
  });

  test.each([
    [
      'of a scan says that they are pictures',
      [null, null],
      ['is a picture, as of a scan', 'is a picture, as of a scan'],
    ],
    ['of both kinds', ['Total 42', null], ['Total 42', 'No text: the page is a picture or empty']],
    ['without text and pictures', ['', 'Total 42'], ['No text: the page is empty or drawn', 'Total 42']],
  ])('of pages %s', async (_kind, pages, shown) => {
    const text = await pdfText(pdfOfPages(pages), never);
    expect(text.split('\n').filter((line) => line !== '' && !line.startsWith('[Page '))).toEqual(
      shown.map((part) => expect.stringContaining(part)),
    );
    expect(text).toMatch(/^\[Page 1 of 2\]\n/);
  });

  test('fails for a file that only starts like a PDF', async () => {
    expect(await faultOf(pdfText(Buffer.from('%PDF-1.7 and nothing else'), never))).toBe(noText);
  });

  test('survives a PDF that inflates to a gigabyte', async () => {
    const bomb = pdfBomb(1024);
    expect(bomb.length).toBeLessThan(2_000_000);
    expect(await faultOf(pdfText(bomb, never))).toBe(noText);
  });

  test('ends a PDF that takes too long', async () => {
    retime({ fromMs: 15_000, toMs: 1_500 });
    expect(await faultOf(pdfText(pdfOfStates(20_000_000), never))).toBe(noText);
  });

  test('ends its process when the call is aborted', async () => {
    const abort = new AbortController();
    const reading = pdfText(pdfOfStates(20_000_000), abort.signal);
    reading.catch(() => undefined);
    await until(() => readers().length === 1);
    abort.abort(new Error('cancelled'));
    await expect(reading).rejects.toThrow('cancelled');
  });

  test('gives the process no environment', async () => {
    const abort = new AbortController();
    const reading = pdfText(pdfOfStates(20_000_000), abort.signal);
    reading.catch(() => undefined);
    await until(() => readers().length === 1);
    expect(readFileSync(`/proc/${readers()[0]}/environ`, 'utf8').replaceAll(/PWD=[^\0]*\0/g, '')).toBe('');
    abort.abort();
    await reading.catch(() => undefined);
  });

  test('reads many files, four at a time', async () => {
    // On a busy machine four may take longer than the limit of one.
    retime({ fromMs: 15_000, toMs: 120_000 });
    const names = Array.from({ length: 10 }, (_, at) => `n${at}`);
    const reading = Promise.all(names.map((name) => pdfText(pdfOf([name]), never)));
    await until(() => readers().length === 4);
    expect(await reading).toEqual(names.map((name) => `[Page 1 of 1]\n${name}\n`));
  });
});

/** This test's current PDF reader processes. */
function readers(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const { command, parentId } = processOf(pid);
      return command.includes('reader/main.ts') && parentId === process.pid;
    });
}

function processOf(pid: string): { command: string; parentId: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return { command, parentId: Number(stat.slice(stat.lastIndexOf(')')).split(' ')[2]) };
  } catch {
    return { command: '', parentId: 0 };
  }
}
