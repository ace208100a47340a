import { expect, test } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { answerComplaint, choosePort, freePort } from '../../../../ops/stack/process/port.ts';
import { makeFolder } from '../../../support/folder.ts';

test('answerComplaint is undefined where a server listens, and a reason elsewhere', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await expect(answerComplaint(`127.0.0.1:${(server.address() as AddressInfo).port}`)).resolves.toBeUndefined();
  } finally {
    server.close();
  }
  await expect(answerComplaint(`127.0.0.1:${await freePort()}`)).resolves.toContain('ECONNREFUSED');
  await expect(answerComplaint('no-such-host.invalid:7233')).resolves.toContain('ENOTFOUND');
});

test('a port that was chosen is not chosen by another installation, although nothing listens at it yet', async () => {
  const folder = await makeFolder();
  try {
    const preferred = await freePort();
    const [own, other] = [join(folder.path, 'own'), join(folder.path, 'other')];
    expect(await choosePort('a part', own, { preferred })).toBe(preferred);
    expect(await choosePort('a part', other, { preferred })).not.toBe(preferred);
    expect(await choosePort('a part', own, { preferred })).toBe(preferred);
    expect(await chooseInOtherProcess(join(folder.path, 'third'), preferred)).not.toBe(preferred);
    expect(await readFile(own, 'utf8')).toBe(`${preferred}\n`);
  } finally {
    await folder.remove();
  }
});

test('a port is free again when the process that chose it has ended', async () => {
  const folder = await makeFolder();
  try {
    const preferred = await freePort();
    expect(await chooseInOtherProcess(join(folder.path, 'ended'), preferred)).toBe(preferred);
    expect(await choosePort('a part', join(folder.path, 'own'), { preferred })).toBe(preferred);
  } finally {
    await folder.remove();
  }
});

async function chooseInOtherProcess(file: string, preferred: number): Promise<number> {
  const module = join(import.meta.dirname, '../../../../ops/stack/process/port.ts');
  const script = `import { choosePort } from ${JSON.stringify(module)};
    console.log(await choosePort('a part', ${JSON.stringify(file)}, { preferred: ${preferred} }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return Number(stdout);
}
