import type { Page } from 'playwright-core';

/** What a person does on a page that is open. `prepare` is not measured. */
export interface Interaction {
  path: string;
  name: string;
  prepare?: (page: Page) => Promise<unknown>;
  act: (page: Page) => Promise<unknown>;
  /** Goes back, so that the page is not loaded again for the next time. */
  undo?: (page: Page) => Promise<unknown>;
}

/** So many rows of a list are passed by scrolling. */
const LONG_ROWS = 5_000;

const row = (page: Page) => page.locator('main tbody tr a').first().click();
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const tab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click();
const find = (page: Page) => page.getByRole('textbox', { name: 'Find a request by its ID' });

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(900, 500);
  for (let at = 0; at < 12; at += 1) await page.mouse.wheel(0, 600);
}

/** The rows of the list by now: of a long one, pieces of fifty that are not all drawn. */
const rowsOf = (page: Page): Promise<number> =>
  page.evaluate<number>(`(() => {
    const pieces = document.querySelectorAll('main tbody');
    return pieces.length > 1 ? pieces.length * 50 : document.querySelectorAll('main tbody tr').length;
  })()`);

/** Scrolls to the end of a list until it has many rows. */
async function scrollFar(page: Page, rows = LONG_ROWS): Promise<void> {
  do {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await page.waitForTimeout(20);
  } while ((await rowsOf(page)) < rows);
}

/** The row that is in the middle of the window, because a link outside would be scrolled to first. */
const rowInView = (page: Page) => page.mouse.click(700, 450);

const far = { prepare: (page: Page) => scrollFar(page), undo: () => Promise.resolve() };
const nextPage = async (page: Page) => scrollFar(page, (await rowsOf(page)) + 1);

export const INTERACTIONS: Interaction[] = [
  { path: '/', name: 'open a row', act: row },
  { path: '/', name: 'scroll', act: scroll },
  { path: '/', name: 'open the menu of the workspace', act: button(/^Workspace:/) },
  { path: '/', name: 'open Usage', act: (page) => page.locator('.menu').getByRole('link', { name: 'Usage' }).click() },
  { path: '/requests', name: 'open a row', act: row },
  { path: '/requests', name: 'open a filter', act: button('Filter by Status') },
  {
    path: '/requests',
    name: 'choose a filter',
    prepare: button('Filter by Status'),
    act: (page) => page.getByRole('option').nth(1).click(),
  },
  { path: '/requests?status=5xx', name: 'clear the filters', act: button('Clear') },
  { path: '/requests', name: 'type an ID', act: (page) => find(page).pressSequentially('req_0123') },
  { path: '/requests', name: 'scroll', act: scroll },
  { path: '/requests', name: 'scroll into ten pages', act: (page) => scrollFar(page, 500) },
  { path: '/requests', name: 'far: open a row', ...far, act: rowInView, undo: (page) => page.goBack() },
  { path: '/requests', name: 'far: scroll up', ...far, act: (page) => page.mouse.wheel(0, -3_000) },
  { path: '/requests', name: 'far: next page', ...far, act: nextPage },
  { path: '/requests', name: 'far: to the top', ...far, act: (page) => page.keyboard.press('Home') },
  { path: '/usage', name: 'ninety days', act: button('90 days') },
  { path: '/usage', name: 'by key', act: button(/^Key$/) },
  { path: '/usage', name: 'latency', act: tab('Latency') },
  { path: '/usage', name: 'errors', act: tab('Errors') },
  {
    path: '/usage',
    name: 'compare to the previous period',
    act: (page) => page.getByRole('switch', { name: 'Compare to previous period' }).click(),
  },
  { path: '/usage', name: 'open a filter', act: button('Filter by Model') },
  { path: '/usage', name: 'point at the picture', act: (page) => page.mouse.move(700, 450, { steps: 20 }) },
  { path: '/usage', name: 'scroll', act: scroll },
  { path: '/keys', name: 'open a row', act: row },
  { path: '/keys', name: 'create a key', act: button('Create key') },
  { path: '/keys', name: 'open a filter', act: button('Filter by Status') },
  { path: '/runs', name: 'open a row', act: row },
  { path: '/runs', name: 'open a filter', act: button('Filter by Status') },
  { path: '/runs', name: 'scroll', act: scroll },
  { path: '/billing', name: 'ledger', act: tab('Ledger') },
  { path: '/billing', name: 'payments', act: tab('Payments') },
  { path: '/billing?view=ledger', name: 'open a filter', act: button('Kind') },
  { path: '/billing?view=ledger', name: 'scroll into ten pages', act: (page) => scrollFar(page, 500) },
  {
    path: '/billing?view=ledger',
    name: 'far: scroll up',
    ...far,
    act: (page) => page.mouse.wheel(0, -3_000),
  },
];
