import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { Finding, Variant } from './camera.ts';

const PER_SHEET = 20;

/** Writes contact sheets: `<variant>.html` with links to the pictures, and as pictures themselves, some of twenty each. */
export async function writeSheets(
  browser: Browser,
  folder: string,
  variant: Variant,
  names: string[],
): Promise<string[]> {
  const isWide = !variant.endsWith('narrow');
  await writeFile(join(folder, `${variant}.html`), pageOf(variant, names, isWide));
  const written: string[] = [];
  const part = join(folder, '.sheet.html');
  const page = await browser.newPage({ viewport: { width: 2000, height: 1200 } });
  for (let at = 0; at < names.length; at += PER_SHEET) {
    await writeFile(part, pageOf(variant, names.slice(at, at + PER_SHEET), isWide));
    await page.goto(`file://${part}`);
    const file = join(folder, `sheet-${variant}-${at / PER_SHEET + 1}.png`);
    await page.screenshot({ path: file, fullPage: true });
    written.push(file);
  }
  await page.close();
  await rm(part, { force: true });
  return written;
}

function pageOf(variant: Variant, names: string[], isWide: boolean): string {
  const width = isWide ? 480 : 190;
  const figures = names.map(
    (name) =>
      `<figure><a href="${variant}/${name}.png"><img src="${variant}/${name}.png" alt="${name}"></a><figcaption>${name}</figcaption></figure>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>${variant}</title><style>
body { margin: 12px; background: #888; font: 13px sans-serif; display: flex; flex-wrap: wrap; gap: 12px }
figure { margin: 0; width: ${width}px } a { display: block; height: 420px; overflow: hidden; background: #fff }
img { width: 100% }</style>${figures.join('')}`;
}

const PLACES = 3;

/** A violation with its first places. */
function shortOf(violation: string): string {
  const places = violation.split(', ');
  const more = places.length > PLACES ? ` and ${places.length - PLACES} more` : '';
  return places.slice(0, PLACES).join(', ') + more;
}

/** The findings as text: pages with something wrong, and the sum. */
export function reportOf(findings: Finding[]): string {
  const lines = findings.flatMap(({ shot, variant, errors, violations, tooWide, failure }) => {
    const parts = [
      ...(failure === undefined ? [] : [`  no picture: ${failure}`]),
      ...[...new Set(errors)].map((text) => `  error: ${text}`),
      ...violations.map((text) => `  axe: ${shortOf(text)}`),
      ...tooWide.map((text) => `  too wide: ${text}`),
    ];
    return parts.length === 0 ? [] : [`${shot} (${variant})`, ...parts];
  });
  const wrong = findings.filter(
    ({ errors, violations, tooWide, failure }) => failure ?? [...errors, ...violations, ...tooWide].length > 0,
  );
  return [...lines, `${findings.length} pictures, ${wrong.length} with findings`].join('\n');
}
