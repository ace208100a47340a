import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.ts';
import { setAccountStage, type AccountStage } from './accountStage.ts';

let stage: AccountStage;
beforeAll(async () => {
  stage = await setAccountStage();
});
afterAll(() => stage?.close());

/** The steps of a page with a passkey: gets the options, lets the authenticator sign, sends the signature. Returns the status. */
const scriptOf = (verb: 'create' | 'get', asked: string, parse: string, answered: string) => `(async () => {
  const auth = '/console/v1/auth/passkey';
  const options = await (await fetch(auth + '/${asked}')).json();
  const credential = await navigator.credentials.${verb}({ publicKey: PublicKeyCredential.${parse}(options) });
  const { status } = await fetch(auth + '/${answered}', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' },
    body: JSON.stringify({ response: credential.toJSON(), name: 'Laptop' }),
  });
  return status;
})()`;

const register = scriptOf('create', 'generate-register-options', 'parseCreationOptionsFromJSON', 'verify-registration');
const authenticate = scriptOf(
  'get',
  'generate-authenticate-options',
  'parseRequestOptionsFromJSON',
  'verify-authentication',
);

describeInBrowser('a passkey of a real browser', (pages) => {
  test('is added by a signed-in person, signs them in elsewhere, and stops working when removed', async () => {
    const ada = await stage.person();
    // Passkeys belong to host names, not to addresses.
    const url = stage.api.url.replace('127.0.0.1', 'localhost');
    const page = await pages.newPage();
    const context = page.context();
    const protocol = await context.newCDPSession(page);
    await protocol.send('WebAuthn.enable');
    await protocol.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(`${url}/healthz`);
    const me = () => page.evaluate(async () => (await fetch('/console/v1/me')).status);
    await context.addCookies([...ada.cookies].map(([name, value]) => ({ name, value, url })));
    expect(await page.evaluate(register)).toBe(200);

    await context.clearCookies();
    expect(await me()).toBe(401);
    expect(await page.evaluate(authenticate)).toBe(200);
    expect(await me()).toBe(200);

    const { body: keys } = await ada.get<{ id: string; name: string }[]>('auth/passkey/list-user-passkeys');
    expect(keys).toMatchObject([{ name: 'Laptop' }]);
    await ada.post('auth/passkey/delete-passkey', { id: keys[0]!.id });
    await context.clearCookies();
    expect(await page.evaluate(authenticate)).not.toBe(200);
    expect(await me()).toBe(401);
  });
});
