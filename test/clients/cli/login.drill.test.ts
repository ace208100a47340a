import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setDeviceStage } from '../../api/deviceLogins/deviceStage.ts';
import { until } from '../../support/until.ts';
import { openCli } from './builtCli.ts';

const stage = await setDeviceStage();
const person = await stage.person();
const cli = await openCli({ LEDGERLINE_BASE_URL: stage.url });
afterAll(async () => {
  await cli.remove();
  await stage.close();
});
beforeEach(() => rm(join(cli.home, '.config'), { recursive: true, force: true }));

const loginsFile = () => join(cli.home, '.config/ledgerline/logins.json');

interface Shown {
  user_code: string;
  verification_uri_complete: string;
}

/** Begins a login, and does something in the console when its code is shown. */
async function login(inConsole: (codes: Shown) => Promise<unknown>, args: string[] = []) {
  const started = cli.start(['login', '--json', ...args]);
  await until(() => started.stderr().includes('\n'));
  await inConsole(JSON.parse(started.stderr().split('\n')[0]!) as Shown);
  return started.ended();
}

const approve = (codes: Shown) => stage.approve(person, codes);

test('a login is approved in the console; its key is kept for the owner alone, and nobody prints it', async () => {
  const { code, stdout } = await login(approve, ['--scopes', 'llm']);
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ base_url: stage.url, workspace: person.me.workspace.name, kept: 'file' }),
  ]);
  expect((await stat(loginsFile())).mode & 0o777).toBe(0o600);
  expect((await stat(join(loginsFile(), '..'))).mode & 0o777).toBe(0o700);
  const [stored] = Object.values(
    (JSON.parse(await readFile(loginsFile(), 'utf8')) as { logins: Record<string, { key: string }> }).logins,
  );
  const me = await cli.run(['whoami', '--json'], { env: { LEDGERLINE_BASE_URL: '' } });
  expect(JSON.parse(me.stdout)).toMatchObject({ source: 'login', key: { scopes: ['llm'] } });
  for (const { stdout: out, stderr } of [me, await cli.run(['profiles', 'list']), await cli.run(['whoami'])])
    expect(out + stderr).not.toContain(stored!.key);

  const out = await cli.run(['logout', '--json']);
  expect(JSON.parse(out.stdout)).toEqual([{ profile: new URL(stage.url).host, revoked: true }]);
  expect(await readFile(loginsFile(), 'utf8')).not.toContain(stored!.key);
  await until(async () => (await stage.use(stored!.key)) === 401);
  expect((await cli.run(['whoami'])).code).toBe(3);
});

test('a denied login says so, and stores nothing', async () => {
  const { code, stderr } = await login(({ user_code }) => person.post('device/deny', { user_code }));
  expect([code, stderr]).toEqual([3, expect.stringContaining('denied')]);
  await expect(stat(loginsFile())).rejects.toThrow('ENOENT');
});

test('a key of the own is read from stdin, if the installation takes it', async () => {
  const { secret } = await stage.account();
  expect((await cli.run(['login', '--key'], { input: 'sk_live_wrong\n' })).code).toBe(3);
  const { code, stdout, stderr } = await cli.run(['login', '--key', '--profile', 'own'], { input: `${secret}\n` });
  expect([code, stdout]).toEqual([0, expect.stringContaining('as own')]);
  expect(stdout + stderr).not.toContain(secret);
  // It was not made by the login, so it goes on.
  expect((await cli.run(['logout'])).stdout).toBe('Signed out of own.\n');
  expect(await stage.use(secret)).toBe(200);
});

test('a stored key goes to its own installation alone, and the environment wins over the login', async () => {
  const { secret } = await stage.account();
  await cli.run(['login', '--key', '--profile', 'own'], { input: secret });
  expect((await cli.run(['balance', '--base-url', 'http://127.0.0.1:9'])).code).toBe(3);
  expect((await cli.run(['balance', '--base-url', 'http://127.0.0.1:9', '--profile', 'own'])).code).toBe(2);
  expect((await cli.run(['balance', '--profile', 'other'])).code).toBe(2);
  const env = { LEDGERLINE_API_KEY: 'sk_live_wrong' };
  expect((await cli.run(['balance'], { env })).code).toBe(3);
  expect((await cli.run(['balance', '--profile', 'own'], { env })).code).toBe(0);
});

test('several logins stand side by side, and one of them is used', async () => {
  for (const profile of ['one', 'two'])
    await cli.run(['login', '--key', '--profile', profile], { input: (await stage.account()).secret });
  type Profile = { profile: string; is_current: boolean };
  const current = async () =>
    (await cli.json<Profile[]>(['profiles', 'list'])).find(({ is_current }) => is_current)!.profile;
  expect(await current()).toBe('two');
  expect((await cli.run(['profiles', 'use', 'one'])).code).toBe(0);
  expect(await current()).toBe('one');
  expect((await cli.run(['profiles', 'use', 'three'])).code).toBe(2);
  await cli.run(['logout', '--all']);
  expect(await cli.json(['profiles', 'list'])).toEqual([]);
});

test('the keyring of the system has the key, where there is one', async () => {
  const ring = join(cli.bin, 'secret-tool');
  // Its last argument is the account.
  const program = `#!/bin/bash
place="${cli.bin}/kept-\${@: -1}"
case $1 in store) cat > "$place" ;; lookup) cat "$place" ;; clear) rm "$place" ;; esac`;
  await writeFile(ring, program, { mode: 0o755 });
  const { secret } = await stage.account();
  const { stdout } = await cli.run(['login', '--key', '--profile', 'ring', '--json'], { input: secret });
  expect(JSON.parse(stdout)).toMatchObject({ kept: 'keyring' });
  expect(await readFile(loginsFile(), 'utf8')).not.toContain(secret);
  expect((await cli.run(['balance'])).code).toBe(0);
  await cli.run(['logout']);
  expect(await readdir(cli.bin)).not.toContain('kept-ring');
  await rm(ring);
});
