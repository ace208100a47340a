import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { makeAccount } from '../../support/account.ts';
import { makeFolder } from '../../support/folder.ts';
import { storeCalls } from '../../support/pastCalls.ts';
import { hasPython, installVenv, runPython } from '../../clients/pythonVenv.ts';
import { testWithPython } from '../../clients/withPython.ts';
import { setStage } from '../platform/stage.ts';

let python: string;

const stage = await setStage();
const folder = await makeFolder();
if (hasPython) python = await installVenv('venv-duckdb', 'duckdb-requirements.txt');
afterAll(async () => {
  await stage.close();
  await folder.remove();
});

const download = (secret: string, query: string) =>
  fetch(`${stage.api.url}/platform/v1/usage/export${query}`, { headers: { 'x-api-key': secret } });

async function query(sql: string): Promise<unknown> {
  const { status, output } = await runPython(python, ['read_parquet.py', sql]);
  if (status !== 0) throw new Error(output);
  return JSON.parse(output);
}

describe('GET /platform/v1/usage/export', () => {
  test('refuses a caller without a key, and a month that is none', async () => {
    expect((await download('', '?month=2026-03')).status).toBe(401);
    const { secret } = await makeAccount(stage.db);
    for (const wrong of ['', '?month=2026-13', '?month=march'])
      expect((await download(secret, wrong)).status).toBe(422);
  });

  testWithPython('DuckDB reads the calls of the month, with their units, costs and times', async () => {
    const { workspaceId, keyId, secret } = await makeAccount(stage.db);
    const other = await makeAccount(stage.db);
    const ids = await storeCalls(stage.databaseUrl, [
      { at: '2026-02-28T23:59:59.999Z', keyId, workspaceId },
      {
        at: '2026-03-01T00:00:00Z',
        keyId,
        workspaceId,
        usage: { input_tokens: 12, output_tokens: 5 },
        costNanos: 1_234_567,
      },
      { at: '2026-03-31T23:59:59.999Z', keyId, workspaceId, model: 'model-b', status: 502, firstByteMs: 7 },
      { at: '2026-04-01T00:00:00Z', keyId, workspaceId },
      { at: '2026-03-15T00:00:00Z', keyId: other.keyId, workspaceId: other.workspaceId },
    ]);
    const answer = await download(secret, '?month=2026-03');
    expect(answer.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    expect(answer.headers.get('content-disposition')).toContain('calls-2026-03.parquet');
    const path = join(folder.path, 'calls.parquet');
    await writeFile(path, Buffer.from(await answer.arrayBuffer()));
    const columns =
      'id, status, model, units_input_tokens, units_output_tokens, cost_nanos, first_byte_ms, epoch_us(settled_at)';
    expect(await query(`select ${columns} from '${path}' order by settled_at`)).toEqual([
      [ids[1], 200, 'model-a', 12, 5, 1_234_567, null, Date.parse('2026-03-01T00:00:00Z') * 1_000],
      [ids[2], 502, 'model-b', null, null, 1_000, 7, Date.parse('2026-03-31T23:59:59.999Z') * 1_000],
    ]);
  });

  testWithPython('a month without calls is a file without rows', async () => {
    const { secret } = await makeAccount(stage.db);
    const path = join(folder.path, 'none.parquet');
    await writeFile(path, Buffer.from(await (await download(secret, '?month=2026-03')).arrayBuffer()));
    expect(await query(`select count(*), sum(cost_nanos) from '${path}'`)).toEqual([[0, null]]);
  });
});
