import type { components } from '../../api/openapi.d.ts';

type Schemas = components['schemas'];

export type IdentityProvider = Schemas['IdentityProvider'];
export type NewIdentityProvider = Schemas['NewIdentityProvider'];
export type MailDomain = Schemas['MailDomain'];
export type Role = NonNullable<IdentityProvider['default_role']>;

export const ROLES: { value: Role; label: string }[] = [
  { value: 'owner', label: 'Owner' },
  { value: 'developer', label: 'Developer' },
  { value: 'finance', label: 'Finance' },
  { value: 'publisher', label: 'Publisher' },
];

/** `finance` is Finance. */
export const roleLabel = (role: string): string => ROLES.find(({ value }) => value === role)?.label ?? role;

export const PROVIDER = ['single-sign-on'];
export const DOMAINS = ['single-sign-on', 'domains'];

/** What the last trial of a provider found, as a sentence. */
export const PROBLEMS: Record<string, string> = {
  sso_wrong_domain: 'its domain is not one that you have proved',
  sso_no_role: 'none of its groups has a role, and there is no default role',
  email_not_verified: 'the provider has not verified the address',
};
