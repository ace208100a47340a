import type { Client } from 'pg';

const OURS = `relnamespace = 'public'::regnamespace`;
const rightsOf = (thing: string, acl: string, from: string) =>
  `select concat_ws(' | ', ${thing}, a.grantee::regrole, a.privilege_type, a.is_grantable) from ${from}, aclexplode(${acl}) a`;

/** All objects that migrations create in a database, as one text a line, without the server's ids and the names of NOT NULL constraints. */
const FACTS: Record<string, string> = {
  tables: `select concat_ws(' | ', relname, relkind, relpersistence, relrowsecurity, relforcerowsecurity, reloptions,
      pg_get_expr(relpartbound, oid), pg_get_partkeydef(oid))
    from pg_class where ${OURS} and relkind in ('r', 'p', 'v', 'm', 'S', 'c')`,
  // In their order: rows are read into variables of the table's type.
  columns: `select concat_ws(' | ', c.relname, row_number() over (partition by c.oid order by a.attnum), a.attname,
      format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid), a.attstorage, a.attgenerated, a.attidentity)
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where ${OURS} and c.relkind in ('r', 'p', 'v', 'm', 'c') and a.attnum > 0 and not a.attisdropped`,
  constraints: `select concat_ws(' | ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'`,
  indexes: `select concat_ws(' | ', pg_get_indexdef(i.indexrelid), i.indisvalid, c.reloptions)
    from pg_index i join pg_class c on c.oid = i.indexrelid where ${OURS}`,
  policies: `select concat_ws(' | ', tablename, policyname, permissive, roles, cmd, qual, 'check ' || with_check) from pg_policies`,
  functions: `select concat_ws(' | ', p.oid::regprocedure, pg_get_function_result(p.oid), l.lanname, p.provolatile, p.prosecdef, p.proconfig,
      p.prosrc, obj_description(p.oid, 'pg_proc'))
    from pg_proc p join pg_language l on l.oid = p.prolang where p.pronamespace = 'public'::regnamespace`,
  triggers: `select concat_ws(' | ', pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal`,
  statistics: `select pg_get_statisticsobjdef(oid) from pg_statistic_ext`,
  rights: [
    rightsOf('t.relname', 't.relacl', `(select * from pg_class where ${OURS}) t`),
    rightsOf('c.attrelid::regclass, c.attname', 'c.attacl', `(select * from pg_attribute where attnum > 0) c`),
    rightsOf(
      'f.oid::regprocedure',
      'f.proacl',
      `(select * from pg_proc where pronamespace = 'public'::regnamespace) f`,
    ),
    rightsOf('s.nspname', 's.nspacl', `(select * from pg_namespace where nspname = 'public') s`),
  ].join(' union all '),
  seeds: `select 'account ' || id || ' ' || kind from accounts where kind = 'house'
    union all select 'process ' || id || ' ' || lease_until from processes
    union all select 'secret ' || name || ' ' || length(value) from secrets`,
};

// Of the month in which a database was made.
const MONTH_NAME = /_\d{4}_\d\d(?!\d)/g;
const MONTH_BOUND = /'\d{4}-\d\d-01 00:00:00\+00'/g;
const inAnyMonth = (fact: string): string => fact.replace(MONTH_NAME, '_month').replace(MONTH_BOUND, "'month'");

/** The facts of a database by their kind, sorted: the same whenever it was made. */
export async function readCatalogue(client: Client): Promise<Record<string, string[]>> {
  const facts: Record<string, string[]> = {};
  for (const [kind, text] of Object.entries(FACTS)) {
    const { rows } = await client.query<string[]>({ text, rowMode: 'array' });
    facts[kind] = rows.map(([fact]) => inAnyMonth(fact!)).toSorted();
  }
  return facts;
}
