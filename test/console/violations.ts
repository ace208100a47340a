import axeCore from 'axe-core';
import type { Page } from 'playwright-core';

const OPTIONS: axeCore.RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
};

// What fades in or out has no contrast yet. Some animations never end.
const SETTLED = `Promise.race([
  Promise.allSettled(document.getAnimations().map(({ finished }) => finished)),
  new Promise((resolve) => setTimeout(resolve, 1_000)),
]).then(() => undefined)`;

/** Axe's findings against WCAG 2.2 AA on a page, as `rule: places`. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(SETTLED);
  // The pages' policy blocks scripts, so axe is injected by the browser's own protocol.
  await page.evaluate(axeCore.source);
  const { violations } = await page.evaluate<axeCore.AxeResults>(`axe.run(${JSON.stringify(OPTIONS)})`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}
