import { afterAll, expect, test } from '@jest/globals';
import { describeInBrowser } from '../../support/browser.ts';
import { startSite } from '../../tools/webStage.ts';
import { certificateNaming, registrationOf } from './attestation.ts';
import { codeOf, protect } from './protect.ts';
import { setAccountStage, type AccountStage } from './accountStage.ts';

const stage = await setAccountStage();
afterAll(() => stage.close());

/** The steps of a page with a passkey: gets the options, lets the authenticator sign, sends the signature. Returns the status. */
const scriptOf = (verb: 'create' | 'get', asked: string, parse: string, answered: string) => `(async () => {
  const auth = '/console/v1/auth/passkey';
  const options = await (await fetch(auth + '/${asked}')).json();
  if (globalThis.named) options.allowCredentials = [{ type: 'public-key', id: globalThis.named }];
  const credential = await navigator.credentials.${verb}({ publicKey: PublicKeyCredential.${parse}(options) });
  globalThis.latest = credential.id;
  const { status } = await fetch(auth + '/${answered}', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' },
    body: JSON.stringify({ response: credential.toJSON()${verb === 'create' ? ", name: 'Laptop'" : ''} }),
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
  /** A page, signed in as a person, with an authenticator that asks for a PIN or the like, or does not. */
  async function openPage(person: Awaited<ReturnType<AccountStage['person']>>, isUserVerified: boolean) {
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
        hasUserVerification: isUserVerified,
        isUserVerified,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(`${url}/healthz`);
    await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url })));
    const me = () => page.evaluate(async () => (await fetch('/console/v1/me')).json());
    return { page, context, me: me as () => Promise<{ session?: { method: string } }> };
  }

  test('that asks for no PIN or fingerprint is one factor alone', async () => {
    const ada = await stage.person();
    const { page, context, me } = await openPage(ada, false);
    expect(await page.evaluate(register)).toBe(200);
    expect((await stage.mailTo(ada.email, 'passkey')).subject).toBe('A passkey was added to your account');
    expect((await me()).session?.method).toBe('link');
    // Chromium finds such a passkey only by its id; other programs do not ask.
    await page.evaluate('globalThis.named = globalThis.latest');
    const enter = async () => {
      await context.clearCookies();
      expect(await page.evaluate(authenticate)).toBe(200);
      return (await me()).session?.method;
    };
    expect(await enter()).toBe('unverified_passkey');
    const { totpURI } = await protect(ada);
    expect(await enter()).toBeUndefined();
    const code = codeOf(totpURI, 1);
    const body = JSON.stringify({ code });
    const entered = await page.evaluate(async (sent) => {
      const headers = { 'content-type': 'application/json', 'x-ledgerline-csrf': '1' };
      const { status } = await fetch('/console/v1/auth/two-factor/verify-totp', {
        method: 'POST',
        headers,
        body: sent,
      });
      return status;
    }, body);
    expect([entered, (await me()).session?.method]).toEqual([200, 'second_factor']);
  });

  test('is added by a signed-in person, signs them in elsewhere, and stops working when removed', async () => {
    const ada = await stage.person();
    const { page, context, me: read } = await openPage(ada, true);
    const me = async () => (await read()).session?.method;
    expect(await page.evaluate(register)).toBe(200);

    await context.clearCookies();
    expect(await me()).toBeUndefined();
    expect(await page.evaluate(authenticate)).toBe(200);
    expect(await me()).toBe('passkey');

    const { body: keys } = await ada.get<{ id: string; name: string }[]>('auth/passkey/list-user-passkeys');
    expect(keys).toMatchObject([{ name: 'Laptop' }]);
    await ada.post('auth/passkey/delete-passkey', { id: keys[0]!.id });
    await context.clearCookies();
    expect(await page.evaluate(authenticate)).not.toBe(200);
    expect(await me()).toBeUndefined();
  });
});

// The library asks the address in a certificate for revoked ones before it knows who issued that certificate.
test.each(['apple', 'android-key'])('a certificate in a passkey of the form %s has nothing fetched', async (format) => {
  const site = await startSite((_request, response) => response.end());
  const ada = await stage.person();
  const { body: options } = await ada.get<{ challenge: string }>('auth/passkey/generate-register-options');
  const asked = { challenge: options.challenge, origin: stage.api.url, host: 'localhost' };
  const response = registrationOf(asked, { format, certificate: certificateNaming(site.port) });
  const path = '/console/v1/auth/passkey/verify-registration';
  const { status } = await ada.send('POST', path, { response, name: 'Laptop' }, { origin: asked.origin });
  await site.stop();
  expect([status, site.hits]).toEqual([400, []]);
});
