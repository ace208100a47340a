import { z } from 'zod';
import { ROLES } from '../../db/keys/roles.ts';

const Role = z.enum(ROLES);
const Text = (max: number) => z.string().trim().min(1).max(max);
const GroupRole = z.strictObject({ group: Text(256), role: Role });

const common = {
  name: Text(60).describe('What members see on the way to it.'),
  groups_name: Text(200)
    .nullable()
    .default(null)
    .describe('The claim (OpenID Connect) or attribute (SAML) with the groups of a person.'),
  group_roles: z
    .array(GroupRole)
    .max(100)
    .default([])
    .describe('The roles that groups give. Of several, the first of owner, developer, finance and publisher counts.'),
  default_role: Role.nullable()
    .default(null)
    .describe('The role of people without a mapped group; null: they get no membership, and lose the one they have.'),
};

const Oidc = z.strictObject({
  ...common,
  kind: z.literal('oidc'),
  issuer: z.url().max(500).describe('Its document is read from `/.well-known/openid-configuration` below it.'),
  client_id: Text(500),
  client_secret: Text(2_000).optional().describe('Stored encrypted, and never shown. Omitted: as before.'),
  scopes: z.array(Text(100)).min(1).max(20).default(['openid', 'email', 'profile']),
});

const Saml = z.strictObject({
  ...common,
  kind: z.literal('saml'),
  metadata_xml: Text(102_400).optional().describe('The provider’s metadata. Either these, or their address.'),
  metadata_url: z.url().max(1_000).optional().describe('Where they are read from, now.'),
  email_attribute: Text(300).nullable().default(null).describe('Null: `email`, otherwise the NameID.'),
  name_attribute: Text(300)
    .nullable()
    .default(null)
    .describe('Null: `givenName` and `surname`, otherwise `displayName`.'),
});

export const ProviderBody = z.discriminatedUnion('kind', [Oidc, Saml]);
export const EnforcedBody = z.strictObject({ enforced: z.boolean() });

export const ProviderAnswer = z.object({
  id: z.string(),
  object: z.literal('identity_provider'),
  kind: z.enum(['oidc', 'saml']),
  name: z.string(),
  issuer: z.string().describe('The issuer, or the entity id of the SAML provider.'),
  client_id: z.string().nullable(),
  scopes: z.array(z.string()).nullable(),
  email_attribute: z.string().nullable(),
  name_attribute: z.string().nullable(),
  groups_name: z.string().nullable(),
  group_roles: z.array(z.object({ group: z.string(), role: z.enum(ROLES) })),
  default_role: z.enum(ROLES).nullable(),
  enforced: z.boolean(),
  tested_at: z.string().nullable().describe('When a trial first succeeded; null: it signs nobody in yet.'),
  last_trial: z
    .object({
      email: z.string(),
      groups: z.array(z.string()),
      role: z.enum(ROLES).nullable(),
      problem: z.string().nullable(),
    })
    .nullable()
    .describe('What the provider said of the owner who tried it last.'),
  redirect_url: z.string().describe('What the provider asks for as redirect or assertion consumer URL.'),
  entity_id: z.string().nullable().describe('Our entity id for SAML, which is also the address of our metadata.'),
  created_at: z.string(),
});

export const ProviderState = z.object({
  object: z.literal('single_sign_on'),
  provider: ProviderAnswer.nullable(),
  can_seal: z.boolean().describe('Whether client secrets can be stored: `CATALOG_SECRETS_KEY` is set.'),
});

export const DomainBody = z.strictObject({
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .regex(
      /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
      'must be a domain, such as example.com',
    ),
});

export const DomainAnswer = z.object({
  id: z.string(),
  object: z.literal('mail_domain'),
  domain: z.string(),
  record_name: z.string().describe('The TXT record that proves the domain …'),
  record_text: z.string().describe('… and what it says.'),
  verified_at: z.string().nullable(),
  created_at: z.string(),
});
export const DomainList = z.object({ object: z.literal('list'), data: z.array(DomainAnswer) });
export const DeletedDomain = z.object({ id: z.string(), object: z.literal('mail_domain'), deleted: z.literal(true) });
export const DeletedProvider = z.object({
  object: z.literal('single_sign_on'),
  provider: z.null(),
  deleted: z.literal(true),
});

const Minutes = z.int().min(5).max(525_600).nullable();

export const SessionRulesBody = z.strictObject({
  requires_second_factor: z.boolean().optional(),
  session_minutes: Minutes.optional(),
  idle_minutes: Minutes.optional(),
});

export const SessionRulesAnswer = z.object({
  object: z.literal('session_rules'),
  requires_second_factor: z
    .boolean()
    .describe('Whether members need a second factor: a code, a passkey, or a sign-in by the identity provider.'),
  session_minutes: z
    .number()
    .nullable()
    .describe('How long a sign-in opens the workspace; null: as the installation says.'),
  idle_minutes: z.number().nullable().describe('How long it may be unused; null: as the installation says.'),
  installation: z.object({ session_minutes: z.number().nullable(), idle_minutes: z.number().nullable() }),
});
