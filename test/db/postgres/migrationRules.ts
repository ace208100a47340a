/** A migration's statements, and whether they run in one transaction. */
interface Written {
  statements: readonly string[];
  isTransactional: boolean;
}

/** Changes that a migration must not make while the last release runs, by name: see "Migrations" in CONTRIBUTING.md. */
const RULES: Record<string, (statement: string, context: { isNew: boolean; isTransactional: boolean }) => boolean> = {
  removes: (sql, { isNew }) =>
    !isNew && /^(drop (table|function|view|type|materialized view)|alter table .*\bdrop column)\b/.test(sql),
  renames: (sql) => /^alter (table|function|type|view) .*\brename\b/.test(sql),
  'changes a type': (sql, { isNew }) => !isNew && /^alter table .*\balter (column )?\S+ (set data )?type\b/.test(sql),
  'requires a value': (sql, { isNew }) =>
    !isNew &&
    sql.startsWith('alter table') &&
    (/\bset not null\b/.test(sql) ||
      additionsOf(sql).some((one) => /\bnot null\b/.test(one) && !/\bdefault\b/.test(one))),
  'blocks writes': (sql, { isNew, isTransactional }) =>
    !isNew &&
    ((/^create (unique )?index\b/.test(sql) && !(/\bconcurrently\b/.test(sql) && !isTransactional)) ||
      (/^alter table .*\badd constraint\b/.test(sql) && !/\bnot valid\b|\busing index\b/.test(sql)) ||
      /^(lock|cluster|reindex|vacuum full)\b/.test(sql)),
  'rewrites rows': (sql, { isNew }) =>
    !isNew &&
    (/^(update|delete from|truncate)\b/.test(sql) ||
      /\badd column\b.*\bdefault (clock_timestamp|random|gen_random)/.test(sql)),
  'withdraws a right': (sql, { isNew }) => !isNew && /^(revoke|drop policy)\b/.test(sql),
};

/** The names of the rules that a migration breaks. */
export function brokenRules({ statements, isTransactional }: Written): string[] {
  const all = statements.flatMap(partsOf);
  const made = new Set(
    all.flatMap((sql) => /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(sql)?.[1] ?? []),
  );
  return Object.entries(RULES)
    .filter(([, isBrokenBy]) => all.some((sql) => isBrokenBy(sql, { isNew: made.has(tableOf(sql)), isTransactional })))
    .map(([rule]) => rule);
}

/** Single statements in a normal form: without comments, texts, function bodies or quoted names. */
const partsOf = (text: string): string[] =>
  text
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, 'body')
    .replaceAll(/'(?:[^']|'')*'/g, 'text')
    .replaceAll(/--.*$/gm, '')
    .replaceAll('"', '')
    .split(';')
    .map((part) => part.trim().replaceAll(/\s+/g, ' ').toLowerCase())
    .filter((part) => part !== '');

const TABLE =
  /^(?:alter table|drop table|update|delete from|truncate|lock table|lock)(?: if exists)?(?: only)? (\w+)|\bon (?:only )?(\w+)/;

function tableOf(sql: string): string {
  const [, direct, indexed] = TABLE.exec(sql) ?? [];
  return direct ?? indexed ?? '';
}

/** The columns that a statement adds. */
const additionsOf = (sql: string): string[] => sql.split(/\badd (?:column )?(?!constraint)/).slice(1);
