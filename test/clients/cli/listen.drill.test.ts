import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { PlatformEventType } from '../../../db/events/eventTypes.ts';
import { recordEvent } from '../../../db/events/platformEvents.ts';
import { makeEndpointOf, startReceiver, type Receiver } from '../../flow/stages/webhookStage.ts';
import { createSealingKey, parseSealingKeys } from '../../../db/sealing/sealingKeys.ts';
import { openSecretBox } from '../../../db/sealing/secretBox.ts';
import { makeFolder } from '../../support/folder.ts';
import { setGuardStage } from '../../support/guardStage.ts';
import { startLeadingProxy, steadyPort } from '../../support/network.ts';
import { until } from '../../support/until.ts';
import { startListener, type Listener } from './listener.ts';

const listeners: Listener[] = [];

const stage = await setGuardStage();
const account = await stage.account({ scopes: ['manage'] });
const home = await makeFolder();
const receiver = await startReceiver();
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((one) => one.stop()));
  receiver.received.length = 0;
});
afterAll(async () => {
  await receiver.stop();
  await stage.close();
  await home.remove();
});

/** `ledgerline listen`, once it listens. */
async function listen(args: string[], { url = stage.url, secret = account.secret } = {}): Promise<Listener> {
  const listener = await startListener(['listen', ...args], { url, secret, home: home.path });
  listeners.push(listener);
  await listener.said('Ready.');
  return listener;
}

const ask = async (args: string[], secret = account.secret) => {
  const { printed, closed } = await startListener(args, { url: stage.url, secret, home: home.path });
  return { code: await closed, ...printed };
};

test('a key that publishes is told which events it does not get', async () => {
  const { secret } = await stage.account({ scopes: ['publisher'] });
  const listener = await listen([], { secret });
  expect(listener.printed.stderr).toContain('need the scope manage');
  expect((await listen([])).printed.stderr).not.toContain('need the scope manage');
});

const record = (type: PlatformEventType = 'balance.low') =>
  recordEvent({ client: stage.db.pool }, account.workspaceId, {
    type,
    resourceType: 'balance',
    resourceId: 'balance',
    data: { note: 'with letters such as ü and 🙂' },
  });

const secretOf = ({ printed }: Listener) => /whsec_\S+/.exec(printed.stderr)![0];
const idsAt = ({ received }: Receiver) => received.map(({ headers }) => headers['webhook-id'] as string);
const gets = (ids: string[], at = receiver) => until(() => ids.every((id) => idsAt(at).includes(id)));

/** Checks each post with the library of Standard Webhooks, and that its body is the event. */
async function expectVerified(secret: string): Promise<void> {
  const webhook = new Webhook(secret);
  for (const { body, headers } of receiver.received) {
    const id = headers['webhook-id'] as string;
    const read = await stage.ask(`/platform/v1/events/${id}`, {
      headers: { authorization: `Bearer ${account.secret}` },
    });
    expect(webhook.verify(body, headers as Record<string, string>)).toEqual(await read.json());
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Ledgerline-Webhooks' });
  }
}

describe('listen --forward', () => {
  test('posts every event, signed, over cut connections, a killed API and its restart', async () => {
    const port = Number(new URL(stage.url).port);
    const proxy = await startLeadingProxy(port);
    const listener = await listen(['--forward', receiver.url], { url: `http://127.0.0.1:${proxy.port}` });
    // Cut before the first event.
    proxy.leadTo(port);
    const ids = [await record(), await record('key.revoked')];
    await gets(ids);
    const another = await stage.startAnother();
    proxy.leadTo(Number(new URL(another.url).port));
    ids.push(await record());
    await gets(ids);
    process.kill(another.pid, 'SIGKILL');
    await another.exited;
    ids.push(await record(), await record());
    proxy.leadTo(port);
    ids.push(await record());
    await gets(ids);
    expect([...new Set(idsAt(receiver))]).toEqual(ids);
    await expectVerified(secretOf(listener));
    await proxy.stop();
  });

  test('prints each event and the status and time of the receiver, without colours', async () => {
    receiver.answer = (response) => response.writeHead(418).end();
    const listener = await listen(['--forward', receiver.url, '--headers', 'x-team: support']);
    const id = await record('key.revoked');
    await listener.said(`POST ${receiver.url}  ${id}`, 'stdout');
    receiver.answer = (response) => response.writeHead(204).end();
    expect(listener.printed.stdout).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}key\.revoked {17}evt_\w+\n {2}418 {2}in \d+ ms {2}POST /,
    );
    expect(receiver.received[0]!.headers['x-team']).toBe('support');
    expect(await listener.interrupt()).toBe(0);
  });

  test('waits for a receiver that starts a moment later', async () => {
    const port = await steadyPort();
    const listener = await listen(['--forward', `${port}/hooks`]);
    const id = await record();
    await listener.said('Nobody listens');
    const late = await startReceiver(port);
    await gets([id], late);
    await late.stop();
  });

  test('signs with one secret at each start, which only its user can read, or with that of --secret', async () => {
    const first = secretOf(await listen(['--forward', receiver.url]));
    expect(secretOf(await listen(['--forward', receiver.url]))).toBe(first);
    expect((await stat(join(home.path, 'ledgerline', 'listen.json'))).mode & 0o777).toBe(0o600);
    const own = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    await Promise.all(listeners.splice(0).map((one) => one.stop()));
    await listen(['--forward', receiver.url, '--secret', own]);
    await gets([await record()]);
    await expectVerified(own);
  });
});

test('listen prints the chosen types as JSON lines for a program', async () => {
  const listener = await listen(['--events', 'key.revoked,run.failed', '--events', 'topup.succeeded', '--print-json']);
  await record('balance.low');
  const ids = [await record('key.revoked'), await record('topup.succeeded')];
  await listener.said(ids[1]!, 'stdout');
  const lines = listener.printed.stdout.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(ids);
  expect(await listener.interrupt()).toBe(0);
});

test('what cannot be listened to is refused, with an exit code that says why', async () => {
  const { secret } = await stage.account({ scopes: ['llm'] });
  expect(await ask(['listen'], secret)).toMatchObject({ code: 3, stderr: expect.stringContaining('scope') });
  expect(await ask(['listen', '--events', 'run.done'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('types'),
  });
  for (const args of [
    ['--forward', 'ftp://files'],
    ['--secret', 'whsec_short', '--forward', '3000'],
    ['--secret', 'x'],
    ['--headers', 'nothing', '--forward', '3000'],
  ])
    expect(await ask(['listen', ...args])).toMatchObject({ code: 2 });
});

test('events are listed, and delivered again', async () => {
  await openSecretBox(stage.db.everywhere, parseSealingKeys(createSealingKey()));
  await makeEndpointOf(stage.db, account, { url: 'https://example.com/hooks', eventTypes: ['key.revoked'] });
  const [id, other] = [await record('key.revoked'), await record('balance.low')];
  const listed = await ask(['events', 'list', '--type', 'key.revoked', '--limit', '1', '--json']);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(listed.stdout)).toMatchObject([{ id, type: 'key.revoked' }]);
  expect((await ask(['events', 'list'])).stdout).toContain(other);
  expect(await ask(['events', 'resend', id])).toMatchObject({ code: 0, stdout: expect.stringContaining('pending') });
  expect((await ask(['events', 'resend', other])).stdout).toContain('No enabled endpoint');
  expect(await ask(['events', 'resend', 'evt_none'])).toMatchObject({ code: 1 });
});
