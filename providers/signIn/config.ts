import { readVariables } from '../../base/environment.ts';
import { isLocalName } from '../../base/web.ts';

/** A provider by which people sign in. */
export interface SignInProvider {
  id: 'google' | 'github' | 'oidc';
  /** What its button says. */
  name: string;
  clientId: string;
  clientSecret: string;
  /** Of an OpenID provider: where its configuration is found. */
  issuer?: string;
}

const NAMES = [
  'GOOGLE_CLIENT_ID',
  'GOOGLE_CLIENT_SECRET',
  'GITHUB_CLIENT_ID',
  'GITHUB_CLIENT_SECRET',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_LABEL',
] as const;

/** The providers that are set up, in the order of their buttons. Throws an error that names each variable that is missing. */
export function readSignInProviders(env: NodeJS.ProcessEnv): SignInProvider[] {
  const values = readVariables(env, NAMES);
  const ofVendor = (id: 'google' | 'github', name: string, prefix: 'GOOGLE' | 'GITHUB') => {
    const set = together(values, [`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`]);
    return set ? [{ id, name, clientId: set[0]!, clientSecret: set[1]! }] : [];
  };
  const oidc = together(values, ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']);
  return [
    ...ofVendor('google', 'Google', 'GOOGLE'),
    ...ofVendor('github', 'GitHub', 'GITHUB'),
    ...(oidc
      ? [
          {
            id: 'oidc' as const,
            name: values.OIDC_LABEL,
            issuer: checkedIssuer(oidc[0]!),
            clientId: oidc[1]!,
            clientSecret: oidc[2]!,
          },
        ]
      : []),
  ];
}

type Name = (typeof NAMES)[number];

/** The values of variables that are set together, or null when none is. */
function together(values: Partial<Record<Name, string>>, names: Name[]): string[] | null {
  const missing = names.filter((name) => values[name] === undefined);
  if (missing.length === names.length) return null;
  if (missing.length > 0) throw new Error(missing.map((name) => `${name}: is not set`).join('; '));
  return names.map((name) => values[name]!);
}

/** Who changes the answers of a provider signs in as anybody, so they come over TLS, except on this machine. */
function checkedIssuer(issuer: string): string {
  const { protocol, hostname } = new URL(issuer);
  if (protocol !== 'https:' && !isLocalName(hostname)) throw new Error('OIDC_ISSUER: must be an https address');
  return issuer.replace(/\/$/, '');
}
