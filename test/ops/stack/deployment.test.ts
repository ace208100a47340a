import { expect, test } from '@jest/globals';
import ipaddr from 'ipaddr.js';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { readVariables, SECRETS, VARIABLES } from '../../../base/environment.ts';
import { MEMORY_ENVIRONMENT } from '../../../ops/stack/config.ts';
import { makeFolder } from '../../support/folder.ts';

const projectDir = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): string => readFileSync(join(projectDir, path), 'utf8');

type Service = {
  build?: string;
  image?: string;
  secrets?: string[];
  command?: string[];
  volumes?: string[];
  environment?: Record<string, unknown>;
  healthcheck?: { test: string[] };
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  networks?: string[] | Record<string, { ipv4_address?: string }>;
};
type Compose = {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  networks: { edge: { ipam: { config: { subnet: string; ip_range?: string }[] } } };
};

const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;
const ours = Object.entries(compose.services).filter(([, service]) => service.build);

/** The variables that the programs read, each with its documentation. The catalogue may name more. */
const described = Object.entries(VARIABLES).map(([name, type]) => {
  const { about, unset } = type.meta() as { about: string; unset?: string };
  const fallback = unset ?? (type.safeParse(undefined).data as string | number | boolean | string[] | undefined);
  return { name, about, fallback: [fallback ?? []].flat().join(',') };
});

const variablesRead = () => [
  ...new Set([
    ...described.map(({ name }) => name),
    ...[...read('catalog.json').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name!),
  ]),
];

function variablesExplained(): string[] {
  return [...read('.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name!);
}

test('the image gives memory back to the system as `npm start` does', () => {
  const settings = Object.entries(MEMORY_ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
  expect(/^ENV NODE_OPTIONS=.*$/m.exec(read('Dockerfile'))![0].split(' ').slice(2)).toEqual(settings);
});

test('.env.example has every variable that a program reads, and no other', () => {
  const forCompose = [...read('docker-compose.yml').matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name!);
  const known = new Set([...variablesRead(), ...forCompose]);
  expect(variablesExplained().toSorted()).toEqual([...known].toSorted());
});

test('.env.example and the reference describe variables and their defaults as the programs declare them', () => {
  const comments = new Map(
    [...read('.env.example').matchAll(/^# (.*)\n([A-Z0-9_]+)=$/gm)].map(([, text, name]) => [name!, text]),
  );
  const reference = read('docs/reference/configuration.md');
  const rows = [...reference.matchAll(/^\| `([A-Z0-9_]{4,})` \| (.*?) ?\| (.*) \|$/gm)];
  for (const { name, about, fallback } of described) {
    expect(`${name}: ${comments.get(name)}`).toBe(`${name}: ${about}${fallback && ` (default: ${fallback})`}`);
  }
  const byName = (one: { name?: string }, other: { name?: string }) => (one.name! < other.name! ? -1 : 1);
  const documented = rows.map(([, name, fallback, about]) => ({ name, about, fallback }));
  expect(documented.toSorted(byName)).toEqual(described.toSorted(byName));
});

test('variables with a unit in their name say it in their description', () => {
  const units = { MS: 'milliseconds', SECONDS: 'seconds', USD: 'US dollars', PERCENTAGE: 'per cent' };
  for (const [suffix, unit] of Object.entries(units))
    for (const { name, about } of described.filter((one) => one.name.endsWith(`_${suffix}`)))
      expect(`${name}: ${about}`).toContain(unit);
});

test('each variable of .env.example has one line that explains it, and no value', () => {
  const lines = read('.env.example').split('\n');
  for (const [index, line] of lines.entries()) {
    if (!/^[A-Z0-9_]+=/.test(line)) continue;
    expect(line).toMatch(/=$/);
    expect(lines[index - 1]).toMatch(/^# \S/);
  }
});

test('containers get only variables that the programs read', () => {
  // The last one is Node's own.
  const known = [...variablesRead(), ...SECRETS.map((name) => `${name}_FILE`), 'NODE_EXTRA_CA_CERTS'];
  for (const [, service] of ours) {
    expect(Object.keys(service.environment ?? {}).filter((name) => !known.includes(name))).toEqual([]);
  }
});

test('commands in a container print links at the address of the installation', () => {
  const { api, worker, bootstrap } = compose.services;
  for (const service of [worker, bootstrap])
    expect(service!.environment!['PUBLIC_URL']).toBe(api!.environment!['PUBLIC_URL']);
});

test('containers run the programs that `npm start` runs, from files that the image holds', () => {
  const scripts = ours.map(([, service]) => service.command?.[1] ?? '').toSorted();
  expect(scripts).toEqual(['api/main.ts', 'db/migrate.ts', 'engines/main.ts', 'ops/admin/main.ts', 'worker/main.ts']);
  const dockerfile = read('Dockerfile');
  for (const script of scripts) {
    const folder = dirname(script);
    expect(existsSync(join(projectDir, script))).toBe(true);
    expect(dockerfile).toContain(`COPY ${folder} ${folder}`);
  }
});

test('the image holds every file of ours that a program in a container imports', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (\S+) \1$/gm)].map(([, path]) => path!);
  expect(copied.filter((path) => !existsSync(join(projectDir, path)))).toEqual([]);
  const isHeld = (path: string) => copied.some((place) => path === place || path.startsWith(`${place}/`));
  const imported = importsFrom(ours.map(([, service]) => service.command![1]!));
  expect(imported.filter((path) => !isHeld(path))).toEqual([]);
  expect(imported.length).toBeGreaterThan(300);
});

/** These files and all their imports, without types, which do not exist at run time. */
function importsFrom(scripts: string[]): string[] {
  const found = new Set(scripts);
  for (const path of found) {
    const source = read(path).replaceAll(/^import type .*?;$/gms, '');
    for (const [, target] of source.matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+\.ts)'/g))
      found.add(join(dirname(path), target!));
  }
  return [...found];
}

test('what the model’s container fetches for transcriptions, the API’s container has', () => {
  const places = ['api', 'model'].map((name) => compose.services[name]!);
  for (const { volumes } of places) expect(volumes!.slice(0, 2)).toEqual(['model:/app/.data', '/tmp']);
  for (const { environment } of places) expect(environment).toMatchObject({ DATA_DIR: '/app/.data' });
});

// Files on the machine, and the containers' settings about each other.
const notFromFile = ['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'EMBEDDED_URL', 'DATA_DIR', 'HOST', 'PORT'];
const notOffered =
  /^(TLS|SANDBOX|TEMPORAL_TLS)(_|$)|^EMBEDDED_(MODEL|MODEL_FILE|HOST|PORT)$|^STRIPE_(API|WEBHOOK)_URL$|^(TEST_PAYMENTS_PORT|BACKUP_DIR|ARCHIVE_FOLDER|DATABASE_DISK_DIR)$/;

test('every other variable of .env.example that is set in .env reaches a container', () => {
  const passed = [...read('docker-compose.yml').matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name!);
  const secrets: string[] = SECRETS;
  const expected = variablesExplained().filter(
    (name) => !notFromFile.includes(name) && !notOffered.test(name) && !secrets.includes(name),
  );
  expect([...new Set(passed)].toSorted()).toEqual(expected.toSorted());
});

test('the API and the worker get the operator’s catalogue, keys of vendors and authorities, read-only', () => {
  const places = [
    ['${MODEL_CATALOG_FILE:-./catalog.json}', '/etc/ledgerline/catalog.json', 'ro'],
    ['${SECRETS_DIR:-./secrets}/vendors', '/run/secrets/vendors', 'ro'],
    ['${CA_FILE:-/dev/null}', '/etc/ledgerline/ca.pem', 'ro'],
  ].map((place) => place.join(':'));
  for (const name of ['api', 'worker']) {
    const { volumes, environment } = compose.services[name]!;
    expect(volumes!.slice(2)).toEqual(places);
    expect(environment).toMatchObject({
      MODEL_CATALOG_FILE: '/etc/ledgerline/catalog.json',
      NODE_EXTRA_CA_CERTS: '${CA_FILE:+/etc/ledgerline/ca.pem}',
    });
  }
});

test('every secret is a file that its program gets, and no program gets another one', () => {
  const given = new Set<string>();
  for (const [name, { environment, secrets = [] }] of ours) {
    const files = Object.entries(environment ?? {}).filter(([variable]) =>
      SECRETS.includes(variable.replace(/_FILE$/, '') as never),
    );
    const expected = files.map(([variable]) => variable.replace(/_FILE$/, '').toLowerCase());
    expect(files.map(([, path]) => path)).toEqual(expected.map((secret) => `/run/secrets/${secret}`));
    // The model has a separate environment.
    expect({ name, secrets: secrets.toSorted() }).toEqual({ name, secrets: expected.toSorted() });
    for (const secret of secrets) given.add(secret);
  }
  expect([...given].toSorted()).toEqual(SECRETS.map((name) => name.toLowerCase()).toSorted());
});

test('the chart knows every secret', () => {
  const schema = read('ops/deploy/helm/ledgerline/values.schema.json');
  const { properties } = JSON.parse(schema) as { properties: { secrets: { propertyNames: { enum: string[] } } } };
  expect(properties.secrets.propertyNames.enum.toSorted()).toEqual(
    SECRETS.map((name) => name.toLowerCase()).toSorted(),
  );
});

test('the script makes a file for each secret, readable to its containers alone, and keeps it', async () => {
  const folder = await makeFolder();
  const env = { PATH: process.env.PATH, SECRETS_DIR: join(folder.path, 'secrets') };
  const make = () => execFileSync('sh', ['ops/deploy/compose/make-secrets.sh'], { cwd: projectDir, env });
  try {
    make();
    const contents = () =>
      Object.keys(compose.secrets).map((name) => readFileSync(join(env.SECRETS_DIR, name), 'utf8'));
    const first = contents();
    expect(statSync(env.SECRETS_DIR).mode & 0o777).toBe(0o700);
    make();
    expect(contents()).toEqual(first);
    const files = Object.fromEntries(
      SECRETS.map((name) => [`${name}_FILE`, join(env.SECRETS_DIR, name.toLowerCase())]),
    );
    const { DATABASE_URL, PLUGIN_SECRETS_KEY, SMTP_URL } = readVariables(files, SECRETS);
    expect(DATABASE_URL).toMatch(/^postgres:\/\/ledgerline_app:[0-9a-f]{48}@postgres:5432\/ledgerline$/);
    expect(Buffer.from(PLUGIN_SECRETS_KEY!, 'base64')).toHaveLength(32);
    expect(SMTP_URL).toBeUndefined();
  } finally {
    await folder.remove();
  }
});

test('programs of ours run without capabilities, and write to their volumes alone', () => {
  for (const [, service] of ours) {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    // On disk, where a restarted API finds the billed answers of a killed one.
    expect(service.volumes).toContain('/tmp');
  }
  expect(read('Dockerfile')).toMatch(/^USER node$/m);
});

test('no API container can take the address of Caddy, which starts after them', () => {
  const [{ subnet, ip_range: range }] = compose.networks.edge.ipam.config as [{ subnet: string; ip_range?: string }];
  const { edge } = compose.services.caddy!.networks as Record<string, { ipv4_address: string }>;
  const address = ipaddr.IPv4.parse(edge!.ipv4_address);
  expect(address.match(ipaddr.IPv4.parseCIDR(subnet))).toBe(true);
  expect(address.match(ipaddr.IPv4.parseCIDR(range ?? subnet))).toBe(false);
});

test('each service has a health check at its health route', () => {
  const answersAt = (url: string) => [
    'CMD',
    'node',
    '-e',
    `fetch(${url}).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))`,
  ];
  const answers = (url: string) => answersAt(`"${url}"`);
  const questions = Object.entries(compose.services).flatMap(([name, { healthcheck }]) =>
    healthcheck ? [[name, healthcheck.test]] : [],
  );
  expect(Object.fromEntries(questions)).toEqual({
    caddy: ['CMD', 'wget', '--quiet', '--spider', 'http://127.0.0.1:2020/'],
    postgres: ['CMD', 'pg_isready', '--username=ledgerline', '--dbname=ledgerline'],
    valkey: ['CMD-SHELL', 'valkey-cli ping 2>&1 | grep -Eq "PONG|NOAUTH"'],
    'temporal-postgres': ['CMD', 'pg_isready', '--host=127.0.0.1', '--username=temporal'],
    temporal: ['CMD-SHELL', 'nc -z "$$(hostname -i)" 7233'],
    api: answers('http://127.0.0.1:4000/readyz'),
    model: answers('http://127.0.0.1:4100/health'),
    worker: answersAt('"http://127.0.0.1:" + process.env.METRICS_PORT + "/readyz"'),
  });
});

test('the chart probes the API at its routes, and the worker at its port for metrics', () => {
  const probesOf = (part: string) => {
    const template = read(`ops/deploy/helm/ledgerline/templates/${part}.yaml`);
    return [...template.matchAll(/(\w+)Probe:\n\s+httpGet: (.*)\n/g)].map(([, probe, request]) => [probe, request]);
  };
  const probes = (port: string) => [
    ['readiness', `{ path: /readyz, port: ${port} }`],
    ['liveness', `{ path: /healthz, port: ${port} }`],
    ['startup', `{ path: /healthz, port: ${port} }`],
  ];
  expect(probesOf('api')).toEqual(probes('http'));
  expect(probesOf('worker')).toEqual(probes('metrics'));
});

test('no secret has a value in the files of a deployment', () => {
  const text = read('docker-compose.yml');
  for (const [, value] of text.matchAll(/(?:PASSWORD|PWD|KEY|SECRET)(?:_FILE)?: (.+)$/gm))
    expect(value).toMatch(/^\/run\/secrets\//);
  expect(text).not.toMatch(/:\/\/\w+:[^@\s]+@/);
});
