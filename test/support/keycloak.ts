import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { steadyPort } from './network.ts';
import { until } from './until.ts';

const run = promisify(execFile);

const VERSION = '26.5.6';
const KEPT = fileURLToPath(new URL('../../.data/keycloak', import.meta.url));
const ADMIN = { username: 'admin', password: 'of the tests' };
const REALM = 'company';

/** Keycloak's distribution from Maven Central, kept for the next time; undefined without Java and Maven. */
async function findProgram(): Promise<string | undefined> {
  const program = join(KEPT, `keycloak-${VERSION}`, 'bin', 'kc.sh');
  if (existsSync(program)) return program;
  try {
    await run('java', ['-version']);
    await mkdir(KEPT, { recursive: true });
    const artifact = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`;
    await run('mvn', ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${KEPT}`]);
    const zip = (await readdir(KEPT)).find((name) => name.endsWith('.zip'))!;
    await run('unzip', ['-q', '-o', join(KEPT, zip), '-d', KEPT]);
    return program;
  } catch {
    return undefined;
  }
}

export type Keycloak = NonNullable<Awaited<ReturnType<typeof startKeycloak>>>;

/** Keycloak with the realm `company`, on the loopback interface; undefined if it cannot be had. */
export async function startKeycloak() {
  const program = await findProgram();
  if (program === undefined) return undefined;
  const port = await steadyPort();
  const url = `http://127.0.0.1:${port}`;
  const managementPort = await steadyPort();
  const child = spawn(
    program,
    [
      'start-dev',
      '--db=dev-mem',
      '--http-host=127.0.0.1',
      `--http-port=${port}`,
      `--http-management-port=${managementPort}`,
    ],
    {
      env: {
        ...process.env,
        KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
        JAVA_OPTS_KC_HEAP: '-Xms64m -Xmx512m',
      },
      stdio: 'ignore',
      detached: true,
    },
  );
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const isReady = () =>
    fetch(`${url}/realms/master`).then(
      ({ ok }) => ok,
      () => false,
    );

  async function close(): Promise<void> {
    // The script's Java is its child.
    process.kill(-child.pid!, 'SIGKILL');
    await exited;
  }

  async function token(): Promise<string> {
    const body = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...ADMIN });
    const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, { method: 'POST', body });
    return ((await answer.json()) as { access_token: string }).access_token;
  }

  /** Creates something by the administration API. Returns its id. */
  async function create(path: string, body: object): Promise<string> {
    const headers = { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/admin/realms${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.headers.get('location')?.split('/').at(-1) ?? '';
  }

  try {
    await until(isReady, { timeoutMs: 400_000, pollMs: 500 });
    await create('', { realm: REALM, enabled: true, sslRequired: 'none' });
  } catch (error) {
    await close();
    throw error;
  }
  const ofRealm = (path: string, body: object) => create(`/${REALM}${path}`, body);
  return {
    url,
    issuer: `${url}/realms/${REALM}`,
    metadataUrl: `${url}/realms/${REALM}/protocol/saml/descriptor`,
    addGroup: (name: string) => ofRealm('/groups', { name }),
    addUser: (email: string, groups: string[], password: string) =>
      ofRealm('/users', {
        username: email,
        email,
        emailVerified: true,
        enabled: true,
        firstName: 'Grace',
        lastName: 'Hopper',
        groups: groups.map((name) => `/${name}`),
        credentials: [{ type: 'password', value: password, temporary: false }],
      }),
    addClient: (client: object) => ofRealm('/clients', client),
    close,
  };
}
