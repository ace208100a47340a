import { PRODUCTS, type Key, type KeyScope, type NewKey } from './keyTypes.ts';

/** What the form of a key holds. */
export interface KeyValues {
  name: string;
  isRestricted: boolean;
  /** For a restricted key. */
  scopes: string[];
  spendLimit: number | string;
  period: string;
  rpm: number | string;
  concurrency: number | string;
  expiresAt: string;
  allowedIps: string[];
  /** For how many days prompts and answers are kept, as text. */
  logDays: string;
  /** Whether its calls go only to upstreams that keep nothing of them. */
  noRetention: boolean;
  /** Left out of what is sent when nothing is chosen. */
  project: string | null;
}

// A key manager may give only their own scopes; `agents` is included in `llm`.
export const isGrantable = (scope: KeyScope, granted: string[]): boolean =>
  granted.length === 0 || granted.includes(scope === 'agents' ? 'llm' : scope);

/** All products that the person may give to a key. */
export const everythingOf = (granted: string[]): KeyScope[] => PRODUCTS.filter((scope) => isGrantable(scope, granted));

export function valuesOf(key: Key | undefined, granted: string[], project: string | null): KeyValues {
  const everything = everythingOf(granted);
  return {
    name: key?.name ?? '',
    isRestricted: key !== undefined && !everything.every((scope) => key.scopes.includes(scope)),
    scopes: key?.scopes ?? [],
    spendLimit: key?.spend_limit ?? '',
    period: key && key.spend_limit !== null ? (key.spend_limit_period ?? 'never') : 'monthly',
    rpm: key?.rpm_limit ?? '',
    concurrency: key?.concurrency_limit ?? '',
    expiresAt: key?.expires_at ? localInput(key.expires_at) : '',
    allowedIps: key?.allowed_ips ?? [],
    logDays: String(key?.log_days ?? 0),
    noRetention: key?.no_retention ?? false,
    project: key?.project_id ?? project,
  };
}

/** A time in the format of the browser's field: local time, without a zone. */
function localInput(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const numberOrNull = (value: number | string) => (value === '' ? null : Number(value));

export function keyOf(values: KeyValues, { granted, logs }: { granted: string[]; logs: boolean }): NewKey {
  const { name, isRestricted, scopes, spendLimit, period, rpm, concurrency, expiresAt, allowedIps, project } = values;
  const limit = numberOrNull(spendLimit);
  return {
    name: name.trim(),
    scopes: isRestricted ? (scopes as KeyScope[]) : everythingOf(granted),
    spend_limit: limit,
    spend_limit_period: limit === null || period === 'never' ? null : (period as 'daily' | 'monthly'),
    rpm_limit: numberOrNull(rpm),
    concurrency_limit: numberOrNull(concurrency),
    expires_at: expiresAt === '' ? null : new Date(expiresAt).toISOString(),
    allowed_ips: allowedIps.length === 0 ? null : allowedIps,
    no_retention: values.noRetention,
    // Only an owner decides it.
    ...(logs && { log_days: Number(values.logDays) }),
    ...(project !== null && { project_id: project }),
  };
}
