import { expect } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Download, Locator, Page } from 'playwright-core';
import { until } from '../../support/until.ts';
import { press } from './journeyStage.ts';

const NANO_DIGITS = 9;
const SEEN_MS = 30_000;

/** Nano-dollars of an amount as people see it: `−$1,204.5`, `+$0.000012`. */
export function nanosIn(text: string): bigint {
  const found = /^([+−-]?)\$([\d,]+)(?:\.(\d{1,9}))?$/.exec(text.trim());
  if (!found) throw new Error(`no amount: ${text}`);
  const [, sign, whole, rest = ''] = found;
  const nanos = BigInt(whole!.replaceAll(',', '') + rest.padEnd(NANO_DIGITS, '0'));
  return sign === '' || sign === '+' ? nanos : -nanos;
}

/** Nano-dollars of an amount of the API. */
export const nanosOf = (usd: number | string): bigint => BigInt(Math.round(Number(usd) * 1e9));

export const sumOf = (nanos: bigint[]): bigint => nanos.reduce((sum, one) => sum + one, 0n);

/** What a test reads of an element in the browser. */
interface Shown {
  textContent: string;
  innerText: string;
  title: string;
  children: Iterable<Shown>;
  querySelector(selector: string): Shown | null;
  querySelectorAll(selector: string): ArrayLike<Shown>;
}

/** A cell as it is seen, and what it says on hover. */
export interface Cell {
  text: string;
  exact: string;
}

/** The rows of a table by the names of its columns, those of the foot last. */
export async function tableOf(region: Locator): Promise<{ rows: Record<string, Cell>[]; foot: Record<string, Cell> }> {
  await region.locator('tbody td').first().waitFor();
  return region.evaluate((element: Shown) => {
    const titles = Array.from(element.querySelectorAll('thead th'), (cell) => cell.textContent);
    const cellsOf = (row: Shown) =>
      Object.fromEntries(
        Array.from(row.querySelectorAll(':scope > td'), (cell, at) => {
          const text = cell.innerText.trim();
          return [titles[at]!, { text, exact: cell.querySelector('.number[title]')?.title ?? text }];
        }),
      );
    const foot = element.querySelector('tfoot tr');
    return { rows: Array.from(element.querySelectorAll('tbody tr'), cellsOf), foot: foot ? cellsOf(foot) : {} };
  });
}

/** The numbers of a chart as its table has them, by the names of the steps. */
export async function chartOf(page: Page, label: RegExp): Promise<{ step: string; total: string }[]> {
  const rows = page.getByRole('table', { name: label }).locator('tbody tr');
  await rows.first().waitFor({ state: 'attached' });
  return rows.evaluateAll((all) =>
    (all as Shown[]).map(({ children: [step, total] }) => ({ step: step!.textContent, total: total!.textContent })),
  );
}

/** Reads what is seen until it is as expected: a list keeps its rows while those of other filters come. */
export async function expectSeen<Value>(see: () => Promise<Value>, expected: Value): Promise<void> {
  let seen: Value | undefined;
  const isSeen = async () => isDeepStrictEqual((seen = await see()), expected);
  await until(isSeen, { pollMs: 50, timeoutMs: SEEN_MS }).catch((error: unknown) => {
    // What is seen says more than that the time is over.
    if (seen === undefined) throw error;
  });
  expect(seen).toEqual(expected);
}

/** What a button downloads. */
export async function downloadOf(button: Locator): Promise<{ name: string; bytes: Buffer }> {
  const download = button.page().waitForEvent('download');
  await press(button);
  const file: Download = await download;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}
