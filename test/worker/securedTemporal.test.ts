import { afterAll, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { createTemporal } from '../../api/temporal/temporal.ts';
import { readTemporalSettings } from '../../base/temporalSettings.ts';
import { createSealingKey } from '../../db/sealing/sealingKeys.ts';
import { rowsOf } from '../ops/admin/rebuilding.ts';
import { runAdmin } from '../ops/admin/runAdmin.ts';
import { makeAuthority } from '../support/certificate.ts';
import { makeFolder } from '../support/folder.ts';
import { startTlsProxy } from '../support/network.ts';
import { setRunStage } from '../support/runStage.ts';

let proxy: Awaited<ReturnType<typeof startTlsProxy>>;
let env: Record<string, string>;

const folder = await makeFolder();
const authority = makeAuthority();
const client = authority.issue();
const inFile = async (name: string, text: string) => {
  await writeFile(join(folder.path, name), text);
  return join(folder.path, name);
};
const files = {
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: await inFile('authority.pem', authority.cert),
  TEMPORAL_TLS_CLIENT_CERT_PATH: await inFile('client.pem', client.cert),
  TEMPORAL_TLS_CLIENT_KEY_PATH: await inFile('client.key', client.key),
};
const stage = await setRunStage({
  reach: async ({ address }) => {
    proxy = await startTlsProxy(address, { ...authority.issue(), authority: authority.cert });
    env = { ...files, TEMPORAL_ADDRESS: proxy.address, TEMPORAL_PAYLOAD_KEY: createSealingKey() };
    return readTemporalSettings(env);
  },
});
await stage.startWorker();

afterAll(async () => {
  await stage.close();
  await proxy?.stop();
  await folder.remove();
});

test('a run works over mTLS, and the server stores only ciphertext', async () => {
  const run = await stage.runToEnd({ script: { turns: [{ text: 'Four.' }] } });
  expect(run.status).toBe('completed');
  const stored = await storedPayloads(run.id);
  expect(stored.length).toBeGreaterThan(3);
  expect(new Set(stored.map(({ encoding }) => encoding))).toEqual(new Set(['binary/encrypted']));
  expect(stored.filter(({ data }) => data.includes(run.id) || data.includes('completed'))).toEqual([]);
});

test('the command line rebuilds a run from its encrypted history', async () => {
  const { id } = await stage.runToEnd({ script: { turns: [{ text: 'Four.' }] } });
  const before = await rowsOf(stage, id);
  const { exitCode, stderr } = await runAdmin(['runs', 'rebuild', id], { ...env, DATABASE_URL: stage.databaseUrl });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(await rowsOf(stage, id)).toEqual(before);
});

test('the API reaches Temporal with the same settings, and not without its certificate', async () => {
  const settings = readTemporalSettings(env);
  const api = createTemporal(settings);
  await api.call(({ workflowService }) => workflowService.getSystemInfo({}));
  expect(await api.state()).toBe('reachable');
  await api.close();
  const unknown = Connection.connect({ address: proxy.address, tls: { ...settings.tls, clientCertPair: undefined } });
  await expect(unknown).rejects.toThrow();
});

/** The server's stored data, read without the codec. */
async function storedPayloads(runId: string) {
  const connection = await Connection.connect({ address: stage.temporal.address });
  const { history } = await connection.workflowService.getWorkflowExecutionHistory({
    namespace: stage.temporal.namespace,
    execution: { workflowId: runId },
  });
  await connection.close();
  const found: { encoding: string; data: string }[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
    const { metadata, data } = value as { metadata?: Record<string, Uint8Array>; data?: Uint8Array };
    // The server must be able to read search attributes, which have a type.
    if (metadata?.encoding && !metadata.type)
      found.push({
        encoding: Buffer.from(metadata.encoding).toString(),
        data: Buffer.from(data ?? []).toString('latin1'),
      });
    Object.values(value).forEach(visit);
  };
  visit(history?.events);
  return found;
}
