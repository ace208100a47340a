import { hash } from 'node:crypto';

/** The nonce of a sign-in, which binds its identity token to the state of one browser. */
export const nonceOf = (state: string): string => hash('sha256', `nonce ${state}`, 'base64url');
