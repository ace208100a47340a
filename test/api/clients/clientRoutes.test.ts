import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setGuardStage, type ErrorBody } from '../../support/guardStage.ts';
import { makeFolder } from '../../support/folder.ts';
import { read } from '../../support/http.ts';

const TGZ = Buffer.from('the package for npm');
const WHEEL = Buffer.from('the wheel');

const folder = await makeFolder();
const stage = await setGuardStage({ config: { clientsDir: join(folder.path, 'dist') } });
afterAll(async () => {
  await stage.close();
  await folder.remove();
});
beforeEach(() => rm(join(folder.path, 'dist'), { recursive: true, force: true }));

/** Replaces a package's folder as a build does. */
async function build(language: string, file: string, bytes: Buffer): Promise<void> {
  const made = join(folder.path, `made-${language}-${bytes.length}`);
  await mkdir(made);
  await writeFile(join(made, file), bytes);
  await mkdir(join(folder.path, 'dist'), { recursive: true });
  await rm(join(folder.path, 'dist', language), { recursive: true, force: true });
  await rename(made, join(folder.path, 'dist', language));
}

const refusalOf = async (path: string) => (await read<ErrorBody>(stage.ask(path), 404)).error;

test('without a build the list says what is needed, and a file is refused with what to do', async () => {
  const list = await read<{ data: []; absent: { language: string; reason: string }[] }>(stage.ask('/clients'));
  expect(list.data).toEqual([]);
  expect(list.absent.map(({ language }) => language)).toEqual(['typescript', 'python']);
  expect(list.absent[1]!.reason).toContain('Python 3.10 or newer with pip');
  const { code, message } = await refusalOf('/clients/ledgerline.tgz');
  expect(code).toBe('client_not_built');
  expect(message).toContain('npm run clients');
});

test('packages are listed with their address, command and checksums, and loaded by name', async () => {
  await build('typescript', 'ledgerline-1.2.3.tgz', TGZ);
  await build('python', 'ledgerline-1.2.3-py3-none-any.whl', WHEEL);
  const list = await read<{ data: Record<string, unknown>[]; absent: [] }>(stage.ask('/clients'));
  expect(list.absent).toEqual([]);
  const [npm, wheel] = list.data as [Record<string, string>, Record<string, string>];
  expect(npm).toMatchObject({ language: 'typescript', name: 'ledgerline', version: '1.2.3', bytes: TGZ.length });
  expect(npm.sha256).toBe(createHash('sha256').update(TGZ).digest('hex'));
  expect(npm.integrity).toBe(`sha512-${createHash('sha512').update(TGZ).digest('base64')}`);
  expect(wheel.install).toBe(`pip install ${wheel.url}`);
  for (const path of ['/clients/ledgerline.tgz', '/clients/ledgerline-1.2.3.tgz', new URL(npm.url!).pathname]) {
    const response = await stage.ask(path);
    expect([response.status, await response.text()]).toEqual([200, TGZ.toString()]);
    expect(response.headers.get('content-type')).toBe('application/gzip');
    expect(response.headers.has('content-encoding')).toBe(false);
  }
  expect(await (await stage.ask(`/clients/${wheel.file}`)).text()).toBe(WHEEL.toString());
});

test('a file that the client has is not sent again, HEAD has no body, and a new build is served at once', async () => {
  await build('typescript', 'ledgerline-1.2.3.tgz', TGZ);
  const first = await stage.ask('/clients/ledgerline.tgz', { method: 'HEAD' });
  expect([first.status, first.headers.get('content-length'), await first.text()]).toEqual([200, '19', '']);
  const headers = { 'if-none-match': first.headers.get('etag')! };
  expect((await stage.ask('/clients/ledgerline.tgz', { headers })).status).toBe(304);
  await build('typescript', 'ledgerline-1.3.0.tgz', WHEEL);
  expect(await (await stage.ask('/clients/ledgerline.tgz', { headers })).text()).toBe(WHEEL.toString());
  const { code, message } = await refusalOf('/clients/ledgerline-1.2.3.tgz');
  expect(code).toBe('client_not_found');
  expect(message).toContain('ledgerline-1.3.0.tgz');
  expect((await refusalOf('/clients/.fingerprint')).code).toBe('client_not_found');
});
