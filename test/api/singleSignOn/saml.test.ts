import { afterAll, describe, expect, test } from '@jest/globals';
import { createSamlProvider, MARK, requestIn, type AskedRequest, type Claims } from '../../support/samlProvider.ts';
import type { Browser } from '../accounts/accountStage.ts';
import { PUBLIC_URL } from '../accounts/providerSignIn.ts';
import { begin, setSsoStage } from './ssoStage.ts';

const stage = await setSsoStage();
afterAll(() => stage.close());

type SamlProvider = ReturnType<typeof createSamlProvider>;

/** Posts an answer as a provider's page makes the browser do it, and again as our own page does. Returns where it leads. */
async function post(browser: Browser, acsUrl: string, xml: string, relayState: string): Promise<string> {
  const form = new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayState });
  return postForm(browser, acsUrl, form);
}

async function postForm(browser: Browser, acsUrl: string, form: URLSearchParams): Promise<string> {
  const { pathname } = new URL(acsUrl);
  const foreign = await browser.sendForm(pathname, form, {
    'sec-fetch-site': 'cross-site',
    origin: 'https://idp.test',
  });
  expect([foreign.status, foreign.body]).toEqual([200, expect.stringContaining('<form method="post">')]);
  const again = await browser.sendForm(pathname, form, { 'sec-fetch-site': 'same-origin', origin: PUBLIC_URL });
  return again.headers.get('location') ?? `${again.status} ${JSON.stringify(again.body)}`;
}

/** A company with a tested SAML provider. */
async function company(idp: SamlProvider = createSamlProvider()) {
  const ada = await stage.owner();
  const domain = await stage.prove(ada);
  const { oidc, put } = stage;
  const { issuer: _i, client_id: _c, client_secret: _s, ...roles } = oidc();
  const { body, status } = await put<{ id: string; entity_id: string; redirect_url: string }>(ada, {
    ...roles,
    kind: 'saml',
    metadata_xml: idp.metadata,
  });
  expect([status, body]).toEqual([200, expect.objectContaining({ issuer: idp.entityId })]);
  const trial = requestIn((await begin(ada, { trial: true })).body.url);
  const claims = claimsFor(trial, body, { email: `owner@${domain}`, groups: ['admins'] });
  const back = await post(ada, body.redirect_url, idp.answer(claims), trial.relayState);
  expect(back).toMatch(/^\/settings\?tab=sign-in&error=sso_trial/);
  return { ada, domain, idp, provider: body };
}

const claimsFor = (
  asked: AskedRequest,
  { entity_id, redirect_url }: { entity_id: string; redirect_url: string },
  person: Partial<Claims> & { email: string },
): Claims => ({ inResponseTo: asked.id, audience: entity_id, destination: redirect_url, ...person });

/** A company without members. Refused answers do not change it. */
const shared = await company();

type Company = Awaited<ReturnType<typeof company>>;

/** Signs in with an answer that `forge` makes of an honest one's parts. */
async function signIn(
  { domain, idp, provider }: Company,
  forge: (claims: Claims) => string = idp.answer,
  person: Partial<Claims> = {},
) {
  const browser = stage.browser();
  const email = person.email ?? `grace@${domain}`;
  const asked = requestIn((await begin(browser, { email: `grace@${domain}` })).body.url);
  const claims = claimsFor(asked, provider, { groups: ['engineers'], ...person, email });
  const next = await post(browser, provider.redirect_url, forge(claims), asked.relayState);
  return { browser, next, asked, claims, status: (await browser.get('me')).status };
}

describe('a SAML provider of a workspace', () => {
  test('makes people members with the role of their groups', async () => {
    const one = await company();
    const { browser, next, asked } = await signIn(one);
    expect(next).toBe('/sign-in?step=done');
    expect(asked).toMatchObject({ acsUrl: one.provider.redirect_url, issuer: one.provider.entity_id });
    expect((await browser.get('me')).body).toMatchObject({
      user: { email: `grace@${one.domain}`, name: 'Grace Hopper' },
      role: 'developer',
      workspaces: [{ id: one.ada.me.workspace.id }],
    });
    const { pathname, search } = new URL(one.provider.entity_id);
    const metadata = await stage.browser().send<string>('GET', pathname + search);
    expect(metadata.body).toContain(`Location="${one.provider.redirect_url}"`);
    const left = await signIn(one, one.idp.answer, { groups: ['gardeners'] });
    expect(left.next).toMatch('error=sso_no_role');
    expect((await browser.get('me')).status).toBe(401);
  });
});

describe('an answer that is forged', () => {
  const evil = createSamlProvider();
  const forgeries: [name: string, forge: (idp: SamlProvider, domain: string) => (claims: Claims) => string][] = [
    ['has no signature', (idp) => (claims) => idp.responseOf(claims, idp.assertionOf(claims).xml.replace(MARK, ''))],
    ['is signed by another key', () => (claims) => evil.answer(claims)],
    ['was changed after it was signed', (idp) => (claims) => idp.answer(claims).replaceAll('engineers', 'admins')],
    ['is for another audience', (idp) => (claims) => idp.answer({ ...claims, audience: 'https://other.example' })],
    [
      'is for another address',
      (idp) => (claims) => idp.answer({ ...claims, destination: 'https://other.example/acs' }),
    ],
    [
      'is for another recipient',
      (idp) => (claims) => idp.answer({ ...claims, recipient: 'https://other.example/acs' }),
    ],
    ['answers no request', (idp) => (claims) => idp.answer({ ...claims, inResponseTo: '_unknown' })],
    ['names no request', (idp) => (claims) => idp.answer(claims).replaceAll(/ InResponseTo="[^"]*"/g, '')],
    [
      'has expired',
      (idp) => (claims) => idp.answer({ ...claims, notBeforeMs: -7_200_000, notOnOrAfterMs: -3_600_000 }),
    ],
    [
      'is not valid yet',
      (idp) => (claims) => idp.answer({ ...claims, notBeforeMs: 3_600_000, notOnOrAfterMs: 7_200_000 }),
    ],
    ['names another domain', (idp) => (claims) => idp.answer({ ...claims, email: 'victim@other.example' })],
    [
      'wraps the signed assertion beside a forged one',
      (idp, domain) => (claims) => {
        const forged = idp
          .assertionOf({ ...claims, email: `boss@${domain}`, groups: ['admins'] })
          .xml.replace(MARK, '');
        return idp.responseOf(claims, forged + idp.signedAssertion(claims));
      },
    ],
    [
      'wraps the signed assertion in an extension of the answer',
      (idp, domain) => (claims) => {
        const { xml } = idp.assertionOf({ ...claims, email: `boss@${domain}`, groups: ['admins'] });
        const hidden = `<samlp:Extensions>${idp.signedAssertion(claims)}</samlp:Extensions>`;
        return idp.responseOf(claims, hidden + xml.replace(MARK, ''));
      },
    ],
    [
      'wraps the signed assertion in an object of a copied signature',
      (idp, domain) => (claims) => {
        const own = idp.signedAssertion(claims);
        const signature = /<ds:Signature .*<\/ds:Signature>/.exec(own)![0];
        const original = own.replace(signature, '');
        const around = signature.replace('</ds:Signature>', `<ds:Object>${original}</ds:Object></ds:Signature>`);
        const { xml } = idp.assertionOf({ ...claims, email: `boss@${domain}`, groups: ['admins'] });
        return idp.responseOf(claims, xml.replace(MARK, around));
      },
    ],
    [
      'has a second identity with the id of the signed one',
      (idp, domain) => (claims) => {
        const id = '_same';
        const own = idp.signedAssertion({ ...claims, assertionId: id });
        const { xml } = idp.assertionOf({ ...claims, assertionId: id, email: `boss@${domain}`, groups: ['admins'] });
        return idp.responseOf(claims, `${xml.replace(MARK, '')}<x:Box xmlns:x="urn:x">${own}</x:Box>`);
      },
    ],
    [
      'splits its address by a comment',
      (idp, domain) => (claims) => {
        const email = `boss@${domain}.evil.example`;
        return idp.answer({ ...claims, email, nameId: email }).replaceAll('.evil', '<!---->.evil');
      },
    ],
    [
      'has its content prepared a thousand times',
      (idp) => (claims) => {
        const transform = /<ds:Transform [^>]*exc-c14n[^>]*><\/ds:Transform>/.exec(idp.answer(claims))![0];
        return idp.answer(claims).replace(transform, transform.repeat(1_000));
      },
    ],
    ['has a document type', (idp) => (claims) => `<!DOCTYPE r [<!ENTITY e "x">]>${idp.answer(claims)}`],
    [
      'claims to be of the provider of somebody else',
      (idp) => (claims) => idp.answer({ ...claims, issuer: 'https://other.example/saml' }),
    ],
  ];

  test.each(forgeries)('and %s opens no session', async (_name, forge) => {
    const one = shared;
    const { status, next } = await signIn(one, forge(one.idp, one.domain));
    expect(next).toMatch(/error=|^4\d\d /);
    expect(status).toBe(401);
    const members = await stage.db.pool.query('select role from members where workspace_id = $1', [
      one.ada.me.workspace.id,
    ]);
    expect(members.rows).toEqual([{ role: 'owner' }]);
  });

  test('is refused a second time, in another browser, and as an answer to another provider', async () => {
    const [one, other] = [await company(), await company()];
    const { next, asked, claims, browser } = await signIn(one);
    expect(next).toBe('/sign-in?step=done');
    const used = one.idp.answer({ ...claims, assertionId: '_used' });
    expect(await post(browser, one.provider.redirect_url, used, asked.relayState)).toMatch('error=');
    const stolen = requestIn((await begin(stage.browser(), { email: `a@${one.domain}` })).body.url);
    const answer = one.idp.answer(claimsFor(stolen, one.provider, { email: `a@${one.domain}`, groups: ['admins'] }));
    const victim = stage.browser();
    expect(await post(victim, one.provider.redirect_url, answer, stolen.relayState)).toBe(
      '/sign-in?error=state_mismatch',
    );
    expect((await victim.get('me')).status).toBe(401);
    const third = stage.browser();
    const own = requestIn((await begin(third, { email: `a@${one.domain}` })).body.url);
    const foreign = other.idp.answer(claimsFor(own, other.provider, { email: `a@${one.domain}`, groups: ['admins'] }));
    expect(await post(third, other.provider.redirect_url, foreign, own.relayState)).toMatch('error=');
    expect((await third.get('me')).status).toBe(401);
  });

  test('signed twice with one id is taken once', async () => {
    const one = await company();
    const first = await signIn(one, (claims) => one.idp.answer({ ...claims, assertionId: '_replayed' }));
    expect(first.next).toBe('/sign-in?step=done');
    const second = await signIn(one, (claims) => one.idp.answer({ ...claims, assertionId: '_replayed' }));
    expect(second.next).toMatch('error=replay_detected');
    expect(second.status).toBe(401);
  });
});

test('an identity provider whose page would run in the console is not opened', async () => {
  const { ada, domain, idp } = await company();
  const metadata_xml = idp.metadata.replace('https://idp.test/sso', 'javascript:alert(1)//');
  expect((await stage.put(ada, { kind: 'saml', name: 'Example ID', metadata_xml })).status).toBe(200);
  const asked = [{ trial: true }, { email: `a@${domain}` }];
  const [trial, sent] = await Promise.all(asked.map((body) => begin(ada, body)));
  expect([trial!.status, trial!.body]).toEqual([
    400,
    { error: expect.objectContaining({ code: 'provider_unusable' }) },
  ]);
  expect(sent!.body.url ?? null).toBeNull();
});

test('an answer with thousands of groups is refused before it is read', async () => {
  const one = shared;
  const value = '<saml:AttributeValue>group</saml:AttributeValue>';
  const { next } = await signIn(one, (claims) => one.idp.responseOf(claims, value.repeat(2_001)));
  expect(next).toMatch(/^400 .*more than 2000 elements/);
  const { next: read } = await signIn(one, (claims) => one.idp.responseOf(claims, value.repeat(1_000)));
  expect(read).toMatch('error=');
});

// The library prepares the content for each reference and transform before it looks at the signature: for minutes, without this limit.
test.each(['<ds:Transform a="b">', '<Reference/>', '<x.y-z:Signature\n>'])(
  'an answer with many %j is refused before it is read',
  async (part) => {
    const one = shared;
    const { next } = await signIn(one, (claims) => one.idp.responseOf(claims, part.repeat(17)));
    expect(next).toMatch(/^400 .*too many signatures/);
    const { next: read } = await signIn(one, (claims) => one.idp.responseOf(claims, part.repeat(16)));
    expect(read).toMatch('error=');
  },
);
