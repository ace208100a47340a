import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { password } from '../api/accounts/accountStage.ts';
import { setPaymentStage } from '../providers/payments/paymentStage.ts';
import { until } from '../support/until.ts';

export type PayingStage = Awaited<ReturnType<typeof setPayingStage>>;

/** The API with its pages, test payments and the mails of accounts. */
export async function setPayingStage() {
  const stage = await setPaymentStage();
  let people = 0;

  const opened: string[] = [];

  /** The path of the link in the next mail to an address, because the installation's origin differs from the test's. */
  async function linkTo(email: string): Promise<string> {
    let text = '';
    await until(async () => {
      const sql =
        'select id, text from test_mails where recipient = $1 and id <> all ($2) order by created_at desc, id desc limit 1';
      const { rows } = await stage.db.pool.query<{ id: string; text: string }>(sql, [email, opened]);
      text = rows[0]?.text ?? '';
      opened.push(...rows.map(({ id }) => id));
      return text !== '';
    });
    const { pathname, search } = new URL(/https?:\/\/\S+/.exec(text)![0]);
    return stage.url + pathname + search;
  }

  /** Signs a person up on the page, and in by the link in the mail. */
  async function signUp(page: Page, name = 'Ada Lovelace'): Promise<string> {
    const email = `person${(people += 1)}@example.com`;
    await page.goto(stage.url);
    await page.getByRole('link', { name: 'Sign up' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await page.goto(await linkTo(email));
    await page.getByText(`in to the account of ${email}`).waitFor();
    await page.getByRole('button', { name: 'Confirm and sign in' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    return email;
  }

  /** Pays on the page of test payments. */
  async function topUp(page: Page, amount = '25'): Promise<void> {
    await open(page, 'Billing');
    await page.getByLabel('Amount').fill(amount);
    await page.getByRole('button', { name: /^Add \$/ }).click();
    // The installation's configured address lacks the test's port.
    await page.route('http://127.0.0.1:0/**', (route) => route.fulfill({ body: 'paid' }));
    await page.getByRole('button', { name: 'Use the test card 4242' }).click();
    await page.waitForURL('**/billing?paid=1');
    await page.goto(`${stage.url}/billing?paid=1`);
    await page.getByText('Thank you').waitFor();
  }

  /** Creates a key and returns its secret, which is shown only once. */
  async function makeKey(page: Page, name: string): Promise<string> {
    await open(page, 'Keys');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const secret = (await page.getByTestId('secret').textContent())!;
    await page.getByRole('button', { name: 'I have copied it' }).click();
    // A dialog that closes has its fields until it is gone.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    return secret;
  }

  return { ...stage, linkTo, signUp, topUp, makeKey };
}

/** Opens a page through the menu, or through that of the workspace. */
export async function open(page: Page, name: string): Promise<void> {
  if (OF_WORKSPACE.has(name)) {
    await page.getByRole('button', { name: /^Workspace:/ }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  } else await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
}

const OF_WORKSPACE = new Set(['Settings', 'Operate']);

/** Switches the console to test mode, or back. */
export async function switchMode(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Workspace:/ }).click();
  await page.getByRole('menuitem', { name: 'Test mode' }).click();
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

/** An authenticator app's current code for a key (RFC 6238). */
export function totpOf(key: string): string {
  const bits = Array.from(key.replaceAll(/[\s=]/g, ''))
    .map((char) => BASE32.indexOf(char).toString(2).padStart(5, '0'))
    .join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS)));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.at(-1)! & 0xf;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
