import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { MIB } from '../../../base/limits.ts';
import { setGuardStage, type GuardStage } from '../../support/guardStage.ts';
import { read } from '../../support/http.ts';
import { startObjectServer } from '../../support/objectServer.ts';
import { startApiProcess, type ApiProcess } from '../../support/startApi.ts';

const FILES = 3;
const FILE_BYTES = 170 * MIB;
const GROWTH_BYTES_MAX = 250 * MIB;
const store = await startObjectServer();
/** Text of this many bytes. */
const textOf = (bytes: number) => new Blob([randomBytes(bytes / 2).toString('hex')]);
const places = ['database', ...(store ? ['store'] : [])];
const stages = new Map<string, GuardStage<ApiProcess>>();

beforeAll(async () => {
  for (const place of places) {
    const env = { FILES_S3_URL: place === 'store' ? store!.url : '' };
    stages.set(place, await setGuardStage({ env, start: startApiProcess }));
  }
});
afterAll(async () => {
  for (const stage of stages.values()) await stage.close();
  await store?.close();
});

/** The largest memory of a process since the last call. */
async function peakBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1024;
}

/** Throughput of all files together in MB per second, and the API's memory for it. */
async function measure(pid: number, transfer: () => Promise<unknown>) {
  await peakBytes(pid);
  const before = await peakBytes(pid);
  const begunMs = performance.now();
  await Promise.all(Array.from({ length: FILES }, transfer));
  const seconds = (performance.now() - begunMs) / 1000;
  const grownBytes = (await peakBytes(pid)) - before;
  return {
    megabytesPerSecond: Math.round((FILES * FILE_BYTES) / 1e6 / seconds),
    grownMb: Math.round(grownBytes / 1e6),
  };
}

test.each(places)(
  'an API sends and receives 500 MB at once in little memory, with files in the %s',
  async (place) => {
    const { api, account } = stages.get(place)!;
    const headers = { authorization: `Bearer ${(await account()).secret}` };
    const bytes = textOf(FILE_BYTES);
    const ids: string[] = [];
    const upload = async (content = bytes) => {
      const form = new FormData();
      form.append('purpose', 'batch');
      form.append('file', content, 'calls.jsonl');
      const answer = await fetch(`${api.url}/v1/files`, { method: 'POST', headers, body: form });
      ids.push((await read<{ id: string }>(answer, 200)).id);
    };
    const download = async (id = ids[0]!) => {
      const answer = await fetch(`${api.url}/v1/files/${id}/content`, { headers });
      let received = 0;
      for await (const part of answer.body!) received += part.length;
      return received;
    };
    await upload(textOf(MIB));
    expect(await download(ids.pop())).toBe(MIB);
    const sent = await measure(api.pid, () => upload());
    const received = await measure(api.pid, async () => expect(await download()).toBe(FILE_BYTES));
    console.info(JSON.stringify({ place, sent, received }));
    for (const { grownMb } of [sent, received]) expect(grownMb * 1e6).toBeLessThan(GROWTH_BYTES_MAX);
  },
  600_000,
);
