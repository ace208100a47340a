import { afterAll, describe, expect, test } from '@jest/globals';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import { asking, call, setAgentCallStage, told } from '../agentCallStage.ts';
import { openCli } from './builtCli.ts';

const stage = await setAgentCallStage();
const cli = await openCli({ LEDGERLINE_BASE_URL: stage.url, LEDGERLINE_API_KEY: stage.stranger.secret });
afterAll(async () => {
  await cli.remove();
  await stage.close();
});

const without = { env: { LEDGERLINE_API_KEY: '' } };
const refusal = (stderr: string) => JSON.parse(stderr) as { error: Record<string, unknown> };

describe('the frame', () => {
  test('lists commands in groups, with examples and exit codes', async () => {
    const { code, stdout } = await cli.run(['--help']);
    expect(code).toBe(0);
    for (const part of ['Account:', 'Runs:', 'Exit codes:', '130']) expect(stdout).toContain(part);
    expect((await cli.run([])).stdout).toBe(stdout);
    expect((await cli.run(['run', '--help'])).stdout).toContain('$ ledgerline run ledgerline/analyst');
    expect(stdout).not.toContain('\x1b[');
  });

  test('refuses what it does not know with 2, and names the nearest', async () => {
    const unknown = await cli.run(['balanc']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean balance?')]);
    expect((await cli.run(['usage', '--from', 'yesterday'])).code).toBe(2);
    expect((await cli.run(['run'])).code).toBe(2);
  });

  test('says what to do without a key, with a wrong one, and without a server', async () => {
    const nobody = await cli.run(['balance'], without);
    expect([nobody.code, nobody.stderr]).toEqual([3, expect.stringContaining('ledgerline login')]);
    const wrong = await cli.run(['balance'], { env: { LEDGERLINE_API_KEY: 'sk_live_unknown' } });
    expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('ledgerline login')]);
    const away = await cli.run(['balance', '--json'], { env: { LEDGERLINE_BASE_URL: 'http://127.0.0.1:9' } });
    expect([away.code, refusal(away.stderr).error]).toEqual([5, expect.objectContaining({ exit_code: 5 })]);
    const unknown = await cli.run(['run', 'test/nobody', 'Hello.']);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining(`${stage.url}/agents`)]);
  });

  test('names the parameter and the request of a refusal', async () => {
    const { code, stdout, stderr } = await cli.run(['usage', '--by', 'colour', '--json']);
    expect([code, stdout]).toEqual([1, '']);
    expect(refusal(stderr).error).toMatchObject({
      status: 422,
      param: 'group_by',
      request_id: expect.stringMatching(/^req_/),
    });
  });

  test('ends without a word when its reader leaves', async () => {
    const { code, stdout, stderr } = await cli.shell('set -o pipefail; ledgerline --help | head -1');
    expect([code, stdout, stderr]).toEqual([0, 'Usage: ledgerline [options] [command]\n', '']);
  });
});

describe('the account', () => {
  test('whoami, balance and keys show the key, and a made key does less', async () => {
    const me = await cli.json<{ workspace: { name: string }; key: { scopes: string[] } }>(['whoami']);
    expect(me).toMatchObject({ workspace: { name: 'test' }, key: { scopes: ['llm', 'publisher'] } });
    expect(JSON.stringify(me)).not.toContain(stage.stranger.secret);
    expect((await cli.run(['balance'])).stdout).toMatch(/^Balance +\$\d/);
    const made = await cli.run([
      'keys',
      'create',
      'night',
      '--scopes',
      'agents',
      '--spend-limit',
      '0.5',
      '--expires',
      '1d',
    ]);
    const secret = made.stdout.trim();
    expect(secret).toMatch(/^sk_live_\w+$/);
    const narrow = await cli.json<{ key: object }>(['whoami'], { LEDGERLINE_API_KEY: secret });
    expect(narrow.key).toMatchObject({ name: 'night', scopes: ['agents'], limit: 0.5 });
    const [id] = /key_\w+/.exec(made.stderr)!;
    expect((await cli.run(['keys', 'list'])).stdout).toContain(id);
    expect((await cli.run(['keys', 'revoke', id])).stdout).toBe(`Revoked ${id}.\n`);
    expect((await cli.run(['keys', 'list'])).stdout).not.toContain(id);
  });

  test('requests, usage and explain agree about a call', async () => {
    const body = JSON.stringify({ model: 'ledgerline-text-1', messages: [{ role: 'user', content: 'Hello.' }] });
    const response = await stage.call('/v1/chat/completions', { key: stage.stranger.secret, body: JSON.parse(body) });
    const { id } = (await response.json()) as { id: string };
    const [request] = await cli.json<{ id: string; cost_usd: number }[]>(['requests', '--limit', '1']);
    const explained = await cli.json<{ request: { id: string }; total_usd: number }>(['explain', id]);
    expect(explained).toMatchObject({ request: { id: request!.id }, total_usd: request!.cost_usd });
    const text = (await cli.run(['explain', id])).stdout;
    for (const part of ['input tokens', 'TOTAL', 'LEDGER ENTRY', 'debit'])
      expect(text.toUpperCase()).toContain(part.toUpperCase());
    expect((await cli.run(['usage', '--by', 'model'])).stdout).toContain('ledgerline-text-1');
  });
});

test('requests --follow prints each call once, as it ends', async () => {
  const { secret } = await stage.account();
  const chat = async (content: string) => {
    const body = { model: 'ledgerline-text-1', messages: [{ role: 'user', content }] };
    return (await stage.call('/v1/chat/completions', { key: secret, body })).headers.get('x-request-id');
  };
  const before = await chat('Before.');
  const following = cli.start(['requests', '--follow', '--json'], { env: { LEDGERLINE_API_KEY: secret } });
  const lines = () => following.stdout().split('\n').slice(0, -1);
  const shown = () => lines().map((line) => (JSON.parse(line) as { id: string }).id);
  await until(() => shown().length === 1);
  const others = [await chat('One.'), await chat('Two.')];
  await until(() => shown().length >= 3);
  const last = await chat('Three.');
  await until(() => shown().includes(last!));
  following.kill('SIGINT');
  await following.ended();
  expect(shown()).toEqual([before, ...others, last]);
});

describe('run', () => {
  test('prints the answer alone on stdout, its steps and its bill beside it', async () => {
    const script = {
      turns: [
        { text: 'First.', toolCalls: [call('write_file', { path: 'poem.md', content: 'Rain.' })] },
        { text: 'Done.' },
      ],
    };
    const { code, stdout, stderr } = await cli.run(['run', stage.poet, '--out', 'made'], { input: told(script) });
    expect([code, stdout]).toEqual([0, 'First.\n\nDone.\n']);
    for (const part of ['✓ write_file', '+ poem.md', 'completed', 'billed $']) expect(stderr).toContain(part);
    expect(await readFile(join(cli.home, 'made/poem.md'), 'utf8')).toBe('Rain.');
    const { id, total_nanos: nanos } = await stage.lastRun();
    expect(stderr).toContain(id);
    expect(await cli.json(['runs', 'get', id])).toMatchObject({ usage: { total_usd: Number(nanos) / 1e9 } });
    expect((await cli.run(['runs', 'get', id])).stdout).toContain('write_file');
  });

  test('gives files and data to an agent, and its events as JSON lines', async () => {
    await writeFile(join(cli.home, 'notes.txt'), 'It rained.');
    const typed = await cli.run([
      'run',
      stage.forecaster,
      '--data',
      '{"city": "Rome"}',
      '--file',
      'notes.txt',
      '--json',
    ]);
    const events = typed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; sequence: number });
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
    expect(events[0]!.type).toBe('run.created');
    const { id, input } = await stage.lastRun();
    expect(JSON.stringify(input)).toMatch(/"city":"Rome".*"file_id"/);
    const listed = await cli.run(['runs', 'events', id, '--json']);
    expect(listed.stdout).toBe(typed.stdout);
  });

  test('that waits for an answer says so with 7, and is answered by another command', async () => {
    const asks = await cli.run(['run', stage.poet, told(asking)]);
    expect([asks.code, asks.stderr]).toEqual([7, expect.stringContaining('Which city?')]);
    const { id } = await stage.lastRun();
    const answered = await cli.run(['runs', 'answer', id, 'Rome']);
    expect([answered.code, answered.stdout]).toEqual([0, expect.stringContaining(id)]);
    const followed = await cli.run(['runs', 'events', id, '--follow']);
    expect([followed.code, followed.stdout]).toEqual([0, 'Rome, then.\n']);
  });

  test('ends with a code of its outcome', async () => {
    const failed = await cli.run(['run', stage.poet, told({ status: 400 })]);
    expect(failed.code).toBe(1);
    const { stdout } = await cli.run(['run', stage.poet, '--detach', told({ turns: [{ fault: 'stall' }] })]);
    const cancelled = await cli.run(['runs', 'cancel', stdout.trim()]);
    expect([cancelled.code, cancelled.stdout]).toEqual([0, expect.stringContaining(stdout.trim())]);
    expect((await cli.run(['runs', 'events', stdout.trim(), '--follow'])).code).toBe(1);
    const { secret } = await stage.account({ balanceNanos: 0n });
    const broke = await cli.run(['run', stage.poet, 'Hello.'], { env: { LEDGERLINE_API_KEY: secret } });
    expect([broke.code, broke.stderr]).toEqual([4, expect.stringContaining(`Top up at ${stage.url}/billing`)]);
  });
});

test('files are uploaded, listed, downloaded and deleted', async () => {
  await writeFile(join(cli.home, 'table.csv'), 'a,b\n1,2\n');
  const id = (await cli.run(['files', 'upload', 'table.csv', '--expires', '7d'])).stdout.trim();
  expect((await cli.run(['files', 'list'])).stdout).toContain(id);
  expect((await cli.run(['files', 'download', id, '--out', '-'])).stdout).toBe('a,b\n1,2\n');
  // The name is taken, and nothing is replaced.
  expect((await cli.run(['files', 'download', id])).stdout).toBe('table (2).csv\n');
  expect((await cli.run(['files', 'delete', id])).code).toBe(0);
  expect((await cli.run(['files', 'download', id])).code).toBe(1);
});
