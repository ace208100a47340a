// Names that speak for the platform, and those of vendors whose interfaces it offers: a caller would take their agents for official ones.
// prettier-ignore
const RESERVED = [
  'ledgerline', 'admin', 'administrator', 'root', 'system', 'operator', 'console', 'platform', 'publisher',
  'official', 'staff', 'support', 'security', 'billing', 'team', 'verified', 'internal', 'api',
  'openai', 'anthropic', 'elevenlabs', 'google', 'microsoft', 'stripe',
];

// What reads alike, of the characters that a name may have: pairs first.
const ALIKE: [RegExp, string][] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/cl/g, 'd'],
  [/[1il]/g, 'l'],
  [/0/g, 'o'],
  [/3/g, 'e'],
  [/4/g, 'a'],
  [/5/g, 's'],
  [/7/g, 't'],
  [/8/g, 'b'],
  [/9/g, 'g'],
];

const looksOf = (name: string) =>
  ALIKE.reduce((text, [from, to]) => text.replace(from, to), name.replaceAll('-', '').toLowerCase());

const reservedLooks = new Set(RESERVED.map(looksOf));

/** Whether a namespace is one that no publisher may take: a reserved name, or one that reads like it. */
export function isReservedName(name: string): boolean {
  return reservedLooks.has(looksOf(name));
}
