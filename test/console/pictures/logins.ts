import type { Page } from 'playwright-core';

/** Begins the login of a program, and opens it by its code. */
export async function enterCode(page: Page): Promise<void> {
  const code = await page.evaluate(async () => {
    const body = JSON.stringify({
      client_name: 'ledgerline on ada-laptop',
      scopes: ['llm', 'voice', 'batch', 'publisher'],
    });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/platform/v1/device/codes', { method: 'POST', headers, body });
    return ((await answer.json()) as { user_code: string }).user_code;
  });
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.getByText('Does your terminal show this code?').waitFor();
}

/** The same, ended by the button of that name. */
export const endLogin = (name: 'Approve' | 'Deny') => async (page: Page) => {
  await enterCode(page);
  await page.getByLabel(/^My terminal shows/).check();
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('status').waitFor();
};
