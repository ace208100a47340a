import { AUTH_PATH, originOf } from './cookie.ts';

/** Our entity id for a SAML provider, which is also the address of our metadata. */
export const spEntityIdOf = (publicUrl: string, id: string): string =>
  `${originOf(publicUrl)}${AUTH_PATH}/sso/saml2/sp/metadata?providerId=${id}`;

/** Where a SAML provider sends its assertions. */
export const acsUrlOf = (publicUrl: string, id: string): string =>
  `${originOf(publicUrl)}${AUTH_PATH}/sso/saml2/sp/acs/${id}`;

/** Where an OpenID provider sends people back to. */
export const redirectUrlOf = (publicUrl: string, id: string): string =>
  `${originOf(publicUrl)}${AUTH_PATH}/sso/callback/${id}`;
