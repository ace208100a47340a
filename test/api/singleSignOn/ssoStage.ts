import { createSealingKey } from '../../../db/sealing/sealingKeys.ts';
import { startDnsServer } from '../../support/dnsServer.ts';
import { CLIENT, startOpenIdProvider, type ProvidedPerson } from '../../support/openIdProvider.ts';
import { password, setAccountStage, type AccountStage, type Browser } from '../accounts/accountStage.ts';
import { codeOf, protect } from '../accounts/protect.ts';
import { comeBack, enter, PUBLIC_URL } from '../accounts/providerSignIn.ts';

type Person = Awaited<ReturnType<AccountStage['person']>>;

/** The API, an OpenID provider and a name server on this machine. */
export async function setSsoStage(env: Record<string, string> = {}) {
  const redirects = new Set([`${PUBLIC_URL}/console/v1/auth/callback/oidc`]);
  const provider = await startOpenIdProvider(() => [...redirects]);
  const dns = await startDnsServer();
  const stage = await setAccountStage({
    env: {
      PUBLIC_URL,
      CATALOG_SECRETS_KEY: createSealingKey(),
      SSO_PRIVATE_ORIGINS: provider.issuer,
      SSO_DNS_SERVERS: dns.address,
      ...env,
    },
  });
  let domains = 0;

  /** Somebody who owns a workspace. */
  const owner = () => stage.person({ name: 'Olga Owner' });

  /** Claims and proves a new domain. */
  async function prove(ada: Browser, domain = `company${(domains += 1)}.example`): Promise<string> {
    const { body } = await ada.post<{ id: string; record_name: string; record_text: string }>(
      'single-sign-on/domains',
      {
        domain,
      },
    );
    dns.records.set(body.record_name, body.record_text);
    const verified = await ada.post<{ verified_at: string }>(`single-sign-on/domains/${body.id}/verify`);
    if (verified.status !== 200) throw new Error(JSON.stringify(verified.body));
    return domain;
  }

  const oidc = (members: object = {}) => ({
    kind: 'oidc',
    name: 'Example ID',
    issuer: provider.issuer,
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    groups_name: 'groups',
    group_roles: [
      { group: 'admins', role: 'owner' },
      { group: 'engineers', role: 'developer' },
      { group: 'accounting', role: 'finance' },
    ],
    default_role: null,
    ...members,
  });

  const put = <Body>(ada: Browser, body: object) => ada.send<Body>('PUT', '/console/v1/single-sign-on', body);
  const patch = (ada: Browser, path: string, body: object) => ada.send('PATCH', `/console/v1/${path}`, body);

  /** A person at the provider. Returns their subject. */
  function provide(person: Partial<ProvidedPerson> & { email: string }): string {
    const subject = `sub-${provider.people.size + 1}`;
    provider.people.set(subject, { name: 'Grace Hopper', email_verified: true, ...person });
    return subject;
  }

  /** An owner with a domain and a tested provider. */
  async function company(members: object = {}) {
    const ada = await owner();
    const domain = await prove(ada);
    const { body } = await put<{ id: string; redirect_url: string }>(ada, oidc(members));
    redirects.add(body.redirect_url);
    const trial = await begin(ada, { trial: true });
    const back = await comeBack(
      ada,
      await enter(trial.body.url, provide({ email: `owner@${domain}`, groups: ['admins'] })),
    );
    return { ada, domain, provider: body, back };
  }

  /** Signs in by an address of the domain in a new browser. */
  async function signIn(email: string, subject: string, browser = stage.browser()) {
    const { body } = await begin(browser, { email });
    return { browser, next: await comeBack(browser, await enter(body.url, subject)) };
  }

  /** Audited actions of a workspace in their order. */
  const auditOf = async (workspaceId: string) => {
    const sql = 'select action, detail from audit_entries where workspace_id = $1 order by created_at, id';
    return (await stage.db.pool.query<{ action: string; detail: Record<string, unknown> }>(sql, [workspaceId])).rows;
  };

  /** Turns a person's second factor on, with which they sign in anew. */
  async function strengthen(ada: Person): Promise<string> {
    const { totpURI } = await protect(ada);
    return totpURI;
  }

  return {
    ...stage,
    provider,
    dns,
    owner,
    prove,
    oidc,
    put,
    patch,
    provide,
    company,
    signIn,
    auditOf,
    strengthen,
    password,
    codeOf,
    close: async () => {
      await stage.close();
      await provider.stop();
      await dns.stop();
    },
  };
}

/** Asks for the address of the provider's page. */
export const begin = (browser: Browser, body: object) => browser.post<{ url: string }>('auth/sign-in/sso', body);
