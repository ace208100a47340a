import type { SessionLimits } from '../db/accounts/consoleSession.ts';

/** What the installation permits of sessions, and of the identity providers of workspaces. */
export interface SingleSignOnConfig {
  sessionLimits: SessionLimits;
  singleSignOn: {
    /** Name servers for the records of mail domains; null: those of the machine. */
    dnsServers: string[] | null;
    /** Origins of identity providers that need not be public. */
    privateOrigins: string[];
  };
}

interface Values {
  SESSION_MINUTES_MAX: number | undefined;
  SESSION_IDLE_MINUTES_MAX: number | undefined;
  SSO_DNS_SERVERS: string | undefined;
  SSO_PRIVATE_ORIGINS: string | undefined;
}

/** @throws an error that names a variable with an origin that is none. */
export function readSingleSignOn(values: Values): SingleSignOnConfig {
  return {
    sessionLimits: {
      minutes: values.SESSION_MINUTES_MAX ?? null,
      idleMinutes: values.SESSION_IDLE_MINUTES_MAX ?? null,
    },
    singleSignOn: {
      dnsServers: values.SSO_DNS_SERVERS === undefined ? null : listOf(values.SSO_DNS_SERVERS),
      privateOrigins: listOf(values.SSO_PRIVATE_ORIGINS ?? '').map(originOf),
    },
  };
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

function originOf(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new Error(`SSO_PRIVATE_ORIGINS: ${text} is no origin, such as https://id.corp.example`);
}
