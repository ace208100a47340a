import * as z from 'zod';
import { address, wholeNumber } from './variableTypes.ts';

const clientId = (of: string) =>
  z
    .string()
    .optional()
    .meta({ about: `Client id of this installation at ${of}`, unset: 'no such sign-in' });
const clientSecret = (of: string) =>
  z
    .string()
    .optional()
    .meta({ isSecret: true, about: `Its secret at ${of}` });

/** Providers by which people sign in, besides passwords and passkeys. */
export const SIGN_IN = {
  GOOGLE_CLIENT_ID: clientId('Google'),
  GOOGLE_CLIENT_SECRET: clientSecret('Google'),
  GITHUB_CLIENT_ID: clientId('GitHub'),
  GITHUB_CLIENT_SECRET: clientSecret('GitHub'),
  OIDC_ISSUER: address('https?', 'https://id.example')
    .optional()
    .meta({ about: 'Issuer of another OpenID provider, as https://host', unset: 'no such sign-in' }),
  OIDC_CLIENT_ID: clientId('that provider'),
  OIDC_CLIENT_SECRET: clientSecret('that provider'),
  OIDC_LABEL: z
    .string()
    .min(1)
    .max(40)
    .default('single sign-on')
    .meta({ about: 'What its button says, after “Continue with”' }),

  SESSION_MINUTES_MAX: wholeNumber(5, 525_600).optional().meta({
    about: 'How long a sign-in to the console lasts at most, in minutes. Workspaces may ask for less',
    unset: 'fourteen days after its last use',
  }),
  SESSION_IDLE_MINUTES_MAX: wholeNumber(5, 525_600).optional().meta({
    about: 'How long a sign-in to the console may be unused, in minutes. Workspaces may ask for less',
    unset: 'fourteen days',
  }),
  SSO_DNS_SERVERS: z.string().optional().meta({
    about:
      'Name servers that are asked for the TXT records of mail domains: addresses, with a port where it is not 53, separated by commas',
    unset: 'those of the machine',
  }),
  SSO_PRIVATE_ORIGINS: z.string().optional().meta({
    about:
      'Origins of identity providers of workspaces that are not on the public internet, such as https://id.corp.example, separated by commas; these may use http',
    unset: 'only public addresses with https',
  }),
};
