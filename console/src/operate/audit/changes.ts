import type { components } from '../../api/openapi.d.ts';
import { usdOfNanos, type Usd } from '../../parts/nanos.ts';
import { usdText } from '../../parts/usdText.ts';
import { isObject } from '../../parts/isObject.ts';

export type AuditRow = components['schemas']['AuditPage']['data'][number];

/** A member of what was changed: its name for people, and its values as texts. */
export interface Change {
  field: string;
  /** The member's own name. */
  name: string;
  /** Undefined: not recorded, or there was none. */
  before?: string;
  after?: string;
}

/** What an entry changed, member by member; of one that changed nothing, what is known of it. */
export function changesOf({ detail }: Pick<AuditRow, 'detail'>): Change[] {
  const { before, after, ...rest } = detail;
  const isChange = isObject(before) || isObject(after);
  const [old, fresh] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])];
  const changed = names
    .filter((name) => !(name in old && name in fresh) || textOf(name, old[name]) !== textOf(name, fresh[name]))
    .map((name) => ({
      field: fieldName(name),
      name,
      ...(name in old && { before: textOf(name, old[name]) }),
      ...(name in fresh && { after: textOf(name, fresh[name]) }),
    }));
  const facts = Object.entries(isChange ? rest : detail).map(([name, value]) => ({
    field: fieldName(name),
    name,
    after: textOf(name, value),
  }));
  return [...changed, ...facts];
}

const FIELDS: Record<string, string> = {
  spend_limit_usd: 'spend limit',
  spend_limit_period: 'period of the spend limit',
  rpm_limit: 'requests per minute',
  concurrency_limit: 'concurrent requests',
  allowed_ips: 'allowed addresses',
  allowed_agents: 'allowed agents',
  expires_at: 'expiry',
  amountNanos: 'amount',
  amount_usd: 'amount',
  threshold_usd: 'threshold',
  monthly_cap_usd: 'monthly cap',
  keyId: 'key',
  logo_file_id: 'logo',
  logo_is_public: 'visibility of the logo',
  url: 'address',
};

/** `spend_limit_usd` and `eventTypes` for people. */
export const fieldName = (name: string): string =>
  FIELDS[name] ??
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();

const isWhole = (value: unknown): value is string | number =>
  (typeof value === 'string' || typeof value === 'number') && /^-?\d+$/.test(`${value}`);

/** A value for people. */
function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (name.endsWith('_usd')) return usdText(value as Usd);
  if (name.endsWith('Nanos') && isWhole(value)) return usdText(usdOfNanos(BigInt(value)));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ') || 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
