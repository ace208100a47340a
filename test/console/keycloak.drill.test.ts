import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createSealingKey } from '../../db/sealing/sealingKeys.ts';
import { freePort } from '../../ops/stack/process/port.ts';
import { setAccountStage, type AccountStage, type Browser } from '../api/accounts/accountStage.ts';
import { describeInBrowser } from '../support/browser.ts';
import { startDnsServer } from '../support/dnsServer.ts';
import { startKeycloak } from '../support/keycloak.ts';
import { testWhen } from '../support/needs.ts';

const secret = 'a secret of the drill';
const password = 'a password at Keycloak';

const keycloak = await startKeycloak();
const test = testWhen(keycloak, 'Keycloak: Java 17, Maven and unzip');

describeInBrowser('signing in with Keycloak', (browser) => {
  let stage: AccountStage;
  let dns: Awaited<ReturnType<typeof startDnsServer>>;
  beforeAll(async () => {
    const port = await freePort();
    dns = await startDnsServer();
    stage = await setAccountStage({
      env: {
        PORT: String(port),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        CATALOG_SECRETS_KEY: createSealingKey(),
        SSO_PRIVATE_ORIGINS: keycloak?.url ?? '',
        SSO_DNS_SERVERS: dns.address,
      },
    });
    for (const group of ['admins', 'engineers']) await keycloak?.addGroup(group);
  });
  afterAll(async () => {
    await stage?.close();
    await dns?.stop();
    await keycloak?.close();
  });

  interface Provider {
    id: string;
    issuer: string;
    redirect_url: string;
    entity_id: string;
  }

  const roles = {
    name: 'Keycloak',
    groups_name: 'groups',
    group_roles: [
      { group: 'admins', role: 'owner' },
      { group: 'engineers', role: 'developer' },
    ],
  };

  /** An owner with a proved domain. */
  async function ownerOf(domain: string) {
    const ada = await stage.person();
    const { body } = await ada.post<Record<'id' | 'record_name' | 'record_text', string>>('single-sign-on/domains', {
      domain,
    });
    dns.records.set(body.record_name, body.record_text);
    expect((await ada.post(`single-sign-on/domains/${body.id}/verify`)).status).toBe(200);
    return ada;
  }

  const put = async (ada: Browser, body: object): Promise<Provider> => {
    const answer = await ada.send<Provider>('PUT', '/console/v1/single-sign-on', { ...roles, ...body });
    expect([answer.status, answer.body]).toEqual([200, expect.any(Object)]);
    return answer.body;
  };

  async function open(): Promise<Page> {
    const page = await browser.newPage({ baseURL: stage.api.url, reducedMotion: 'reduce' });
    return page;
  }

  /** Answers Keycloak's form. */
  async function answer(page: Page, email: string): Promise<void> {
    await page.locator('#username').fill(email);
    await page.locator('#password').fill(password);
    await page.locator('#kc-login').click();
  }

  /** The owner's trial, with the cookies of their browser. */
  async function tryOut(ada: Browser, email: string): Promise<void> {
    const page = await open();
    const cookies = [...ada.cookies].map(([name, value]) => ({ name, value: decodeURIComponent(value) }));
    await page.context().addCookies(cookies.map((one) => ({ ...one, url: stage.api.url })));
    await page.goto('/settings?tab=sign-in');
    await page.getByRole('button', { name: 'Try it' }).click();
    await answer(page, email);
    await page.getByText('The trial worked').waitFor();
  }

  /** Signs in by the address, and returns who that is. */
  async function signIn(email: string) {
    const page = await open();
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await answer(page, email);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    return page.evaluate(async () => (await (await fetch('/console/v1/me')).json()) as Record<string, unknown>);
  }

  const MAPPER = { name: 'groups', config: { 'full.path': 'false', 'claim.name': 'groups', 'id.token.claim': 'true' } };

  test('by OpenID Connect makes members with the roles of their groups', async () => {
    const ada = await ownerOf('oidc.example');
    await keycloak!.addClient({
      clientId: 'ledgerline',
      secret,
      redirectUris: [`${stage.api.url}/console/v1/auth/sso/callback/*`],
      protocolMappers: [{ ...MAPPER, protocol: 'openid-connect', protocolMapper: 'oidc-group-membership-mapper' }],
    });
    await keycloak!.addUser('olga@oidc.example', ['admins'], password);
    await keycloak!.addUser('grace@oidc.example', ['engineers'], password);
    await put(ada, { kind: 'oidc', issuer: keycloak!.issuer, client_id: 'ledgerline', client_secret: secret });
    await tryOut(ada, 'olga@oidc.example');
    expect(await signIn('grace@oidc.example')).toMatchObject({
      user: { email: 'grace@oidc.example', name: 'Grace Hopper' },
      role: 'developer',
      workspace: { id: ada.me.workspace.id },
    });
  });

  test('by SAML makes members with the roles of their groups', async () => {
    const ada = await ownerOf('saml.example');
    const provider = await put(ada, { kind: 'saml', metadata_url: keycloak!.metadataUrl });
    await keycloak!.addClient({
      clientId: provider.entity_id,
      protocol: 'saml',
      redirectUris: [provider.redirect_url],
      attributes: {
        'saml.client.signature': 'false',
        'saml.assertion.signature': 'true',
        'saml.server.signature': 'true',
        saml_assertion_consumer_url_post: provider.redirect_url,
        'saml.force.post.binding': 'true',
        saml_name_id_format: 'email',
      },
      protocolMappers: [
        {
          name: 'groups',
          protocol: 'saml',
          protocolMapper: 'saml-group-membership-mapper',
          config: { 'attribute.name': 'groups', single: 'true', 'full.path': 'false' },
        },
        ...[
          ['email', 'email'],
          ['firstName', 'givenName'],
          ['lastName', 'surname'],
        ].map(([property, attribute]) => ({
          name: property,
          protocol: 'saml',
          protocolMapper: 'saml-user-property-mapper',
          config: { 'user.attribute': property, 'attribute.name': attribute },
        })),
      ],
    });
    await keycloak!.addUser('olga@saml.example', ['admins'], password);
    await keycloak!.addUser('grace@saml.example', ['engineers'], password);
    await tryOut(ada, 'olga@saml.example');
    expect(await signIn('grace@saml.example')).toMatchObject({
      user: { email: 'grace@saml.example', name: 'Grace Hopper' },
      role: 'developer',
      workspace: { id: ada.me.workspace.id },
    });
  });
});
