import * as z from 'zod';
import { address } from './variableTypes.ts';

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
};
