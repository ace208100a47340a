import type { Page } from 'playwright-core';
import { password } from '../api/accounts/accountStage.ts';
import type { Stage } from '../support/browser.ts';

/** A page of a signed-in person, without transitions: half-drawn colours have too little contrast. */
export async function visitAs(browser: Stage, baseURL: string, { email }: { email: string }): Promise<Page> {
  const page = await browser.newPage({ baseURL, reducedMotion: 'reduce' });
  await page.goto('/sign-in');
  const status = await page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' };
    return (await fetch('/console/v1/auth/sign-in/email', { method: 'POST', headers, body })).status;
  }, JSON.stringify({ email, password }));
  if (status !== 200) throw new Error(`signing in answered ${status}`);
  return page;
}
