import { createHmac, hash, pbkdf2Sync, randomBytes } from 'node:crypto';
import { Client, escapeIdentifier, escapeLiteral, type Pool } from 'pg';
import { storeSettings, SYSTEM_ROLE } from './session.ts';

/** The roles of the application. Its login has no other privileges: it neither inherits the roles nor owns a table. */
const ROLES = [SYSTEM_ROLE, 'ledgerline_tenant'];
const SCRAM_ROUNDS = 4_096;
// PostgreSQL answers both a wrong password and an unknown login with 28P01.
const REFUSED_LOGIN = /^28/;

/**
 * Creates the application's login of `applicationUrl` if it is missing: not a superuser or owner, with access to the application's two
 * roles only. Sets its password when the one in the address is refused. Returns whether it changed anything. When both addresses use the
 * owner's login, there is nothing to do. `isPooled`: a pooler serves the application, so its sessions begin with the settings of its login.
 * @throws when a pooled application has the owner's login.
 */
export async function ensureLogin(
  ownerUrl: string,
  applicationUrl: string,
  { isPooled }: { isPooled: boolean },
): Promise<boolean> {
  const { username, password } = new URL(applicationUrl);
  const login = { name: decodeURIComponent(username), password: decodeURIComponent(password) };
  if (login.name === decodeURIComponent(new URL(ownerUrl).username)) {
    if (isPooled) throw new Error('DATABASE_DIRECT_URL: behind a pooler the application needs a login of its own');
    return false;
  }
  const owner = new Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    const isMade = await createIfMissing(owner, login);
    const isGranted = await grantMissing(owner, login.name);
    const isSet = isPooled && (await storeSettings(owner, login.name));
    if (isMade || (await accepts(applicationUrl))) return isMade || isGranted || isSet;
    await owner.query(`alter role ${escapeIdentifier(login.name)} password ${passwordLiteral(login.password)}`);
    return true;
  } finally {
    await owner.end();
  }
}

async function createIfMissing(owner: Client, { name, password }: { name: string; password: string }) {
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [name]);
  if (rowCount) return false;
  const attributes = 'login noinherit nosuperuser nocreatedb nocreaterole nobypassrls noreplication';
  await owner.query(`create role ${escapeIdentifier(name)} ${attributes} password ${passwordLiteral(password)}`);
  return true;
}

async function grantMissing(owner: Client, name: string): Promise<boolean> {
  const { rows } = await owner.query<{ role: string }>(
    `select r as role from unnest($2::text[]) r where not pg_has_role($1, r, 'member')`,
    [name, ROLES],
  );
  for (const { role } of rows) await owner.query(`grant ${role} to ${escapeIdentifier(name)}`);
  return rows.length > 0;
}

async function accepts(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    if (REFUSED_LOGIN.test((error as { code?: string }).code ?? '')) return false;
    throw error;
  }
}

/** The password as PostgreSQL stores it (SCRAM-SHA-256), so that neither the server nor its log sees it in plain text. */
function passwordLiteral(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, SCRAM_ROUNDS, 32, 'sha256');
  const keyOf = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = hash('sha256', keyOf('Client Key'), 'base64');
  const serverKey = keyOf('Server Key').toString('base64');
  return escapeLiteral(`SCRAM-SHA-256$${SCRAM_ROUNDS}:${salt.toString('base64')}$${storedKey}:${serverKey}`);
}

/** Throws an error when the pool's login has more rights than its roles, for example through `reset role`. */
export async function refusePrivileges(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ what: string }>(PRIVILEGES);
  if (rows.length === 0) return;
  const what = rows.map((row) => row.what).join(', ');
  throw new Error(
    `DATABASE_URL logs in with more rights than the application needs (${what}): ` +
      "give it a login of its own, and the owner's to MIGRATION_DATABASE_URL",
  );
}

const PRIVILEGES = `
select w.what from pg_roles r, lateral (values
  ('superuser', r.rolsuper), ('bypasses row-level security', r.rolbypassrls), ('creates roles', r.rolcreaterole),
  ('owns tables', exists (select from pg_class c where c.relowner = r.oid and c.relnamespace = 'public'::regnamespace))) w(what, has)
where r.rolname = session_user and w.has`;
