import type { RouteDoc } from '../http/documentedRoute.ts';
import {
  DeletedDomain,
  DeletedProvider,
  DomainAnswer,
  DomainBody,
  DomainList,
  EnforcedBody,
  ProviderAnswer,
  ProviderBody,
  ProviderState,
  SessionRulesAnswer,
  SessionRulesBody,
} from './schema.ts';

const PROVIDER = { id: 'IdentityProvider', schema: ProviderAnswer };
const DOMAIN = { id: 'MailDomain', schema: DomainAnswer };
const RULES = { id: 'SessionRules', schema: SessionRulesAnswer };
const OWNERS = 'For owners, signed in to the console.';

/** Documentation of single sign-on and of the rules of sessions. */
export const singleSignOnDocs = {
  retrieve: {
    tag: 'Console',
    summary: 'Read the identity provider of the workspace',
    description: OWNERS,
    answer: { id: 'SingleSignOn', schema: ProviderState },
  },
  set: {
    tag: 'Console',
    summary: 'Set the identity provider of the workspace',
    description:
      `${OWNERS} OpenID Connect or SAML 2.0. It signs people in once the owner has tried it: ` +
      '`POST /console/v1/auth/sign-in/sso` with `{"trial": true}` answers the address of its page. A change of who signs people in ' +
      'needs another trial, and ends the sessions of the former provider.',
    input: {
      id: 'NewIdentityProvider',
      schema: ProviderBody,
      example: {
        kind: 'oidc',
        name: 'Example ID',
        issuer: 'https://id.example.com/realms/staff',
        client_id: 'ledgerline',
        client_secret: 'a secret of the provider',
        groups_name: 'groups',
        group_roles: [{ group: 'ledgerline-admins', role: 'owner' }],
        default_role: 'developer',
      },
    },
    answer: PROVIDER,
    errors: [409],
  },
  enforce: {
    tag: 'Console',
    summary: 'Enforce single sign-on',
    description:
      `${OWNERS} Members with an address of a proved domain then open the workspace only through the provider. An owner who signs in ` +
      'with a second factor still gets in, for the day on which the provider is away; that is audited.',
    input: { id: 'SingleSignOnChange', schema: EnforcedBody, example: { enforced: true } },
    answer: PROVIDER,
    errors: [404, 409],
  },
  remove: {
    tag: 'Console',
    summary: 'Remove the identity provider',
    description: `${OWNERS} Ends the sessions that it began. Members stay, and sign in in another way.`,
    answer: { id: 'RemovedIdentityProvider', schema: DeletedProvider },
    errors: [404, 409],
  },
  domains: {
    tag: 'Console',
    summary: 'List mail domains',
    description: `${OWNERS} The domains whose people the identity provider may sign in, once they are proved.`,
    answer: { id: 'MailDomainList', schema: DomainList },
  },
  addDomain: {
    tag: 'Console',
    summary: 'Claim a mail domain',
    description: `${OWNERS} Exactly this domain, not those below it. The answer has the TXT record that proves it.`,
    input: { id: 'NewMailDomain', schema: DomainBody, example: { domain: 'example.com' } },
    answer: DOMAIN,
    statuses: [201],
    errors: [409],
  },
  verifyDomain: {
    tag: 'Console',
    summary: 'Verify a mail domain',
    description: `${OWNERS} Looks for the TXT record. One workspace alone has a proved domain.`,
    answer: DOMAIN,
    errors: [409],
  },
  removeDomain: {
    tag: 'Console',
    summary: 'Give up a mail domain',
    description: OWNERS,
    answer: { id: 'DeletedMailDomain', schema: DeletedDomain },
    errors: [409],
  },
  rules: {
    tag: 'Console',
    summary: 'Read the rules of sessions',
    description: OWNERS,
    answer: RULES,
  },
  changeRules: {
    tag: 'Console',
    summary: 'Change the rules of sessions',
    description:
      `${OWNERS} Changes what is sent. A member without a second factor sees nothing of the workspace until they have set one up. A ` +
      'session that is too old, or was unused for too long, has ended.',
    input: {
      id: 'SessionRulesChange',
      schema: SessionRulesBody,
      example: { session_minutes: 720, idle_minutes: 60 },
    },
    answer: RULES,
    errors: [409],
  },
} satisfies Record<string, RouteDoc>;
