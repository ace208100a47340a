import { afterAll, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import { setPublishStage, verse } from './publishStage.ts';

const stage = await setPublishStage();
afterAll(() => stage.close());

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('dev tries the examples of a folder at each save, and compares with the run before', async () => {
  const { path, write } = await stage.init('tried');
  const first = await stage.run(['dev', '--once', '--example', 'rain'], { cwd: path });
  expect(first).toMatchObject({ code: 0, stdout: `${verse}\n` });
  expect(first.stderr).toContain('The first run of this example.');

  const watching = stage.start(['dev', '--example', 'rain'], { cwd: path });
  await watching.said('Watches .');
  await watching.said('the same output');
  stage.upstream.script({ text: verse.replace('grey', 'green') });
  write('instructions.md', 'Write one verse of four lines with a colour in it.\n');
  await watching.said('+a soft green sound,');
  await watching.said('-a soft grey sound,');
  await watching.said('Changed the draft: instructions.');
  write('agent.json', '{');
  await watching.said('agent.json:1:2: error: This is no JSON');
  watching.interrupt();
  expect((await watching.ended).code).toBe(0);
});

test('Ctrl-C cancels the run of dev', async () => {
  const { path, name } = await stage.init('stopped');
  stage.upstream.script({ text: verse, fault: 'stall', faultAfterChunks: 4 });
  const trying = stage.start(['dev', '--once'], { cwd: path });
  const statuses = async () => {
    const { rows } = await stage.db.pool.query(
      `select r.status from runs r join agents a on a.id = r.agent_id where a.namespace || '/' || a.slug = $1`,
      [name],
    );
    return (rows as { status: string }[]).map(({ status }) => status);
  };
  await until(async () => (await statuses())[0] === 'in_progress', { timeoutMs: 60_000 });
  trying.interrupt();
  const ended = await trying.ended;
  expect([ended.code, ended.stderr]).toEqual([130, expect.stringContaining('cancelled')]);
  expect(await statuses()).toEqual(['cancelled']);
  stage.upstream.script({ text: verse });
});

test('dev --once ends with 1 for a draft that is refused, and for a run that does not complete', async () => {
  const { path, change, write } = await stage.init('failing');
  change({ model: 'gpt-nothing' });
  const refused = await stage.run(['dev', '--once'], { cwd: path });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/^agent\.json:\d+:3: error: model: The model must be one of/m);
  change({ model: null });
  write('examples/rain.json', '[{ "type": "input_file", "path": "none.txt" }]');
  const missing = await stage.run(['dev', '--once', '--example', 'rain'], { cwd: path });
  expect([missing.code, missing.stderr]).toEqual([
    1,
    expect.stringMatching(/examples\/rain\.json:1:2\d: error: none\.txt cannot/),
  ]);
});

test('eval runs the examples as cases, once for the same content, and publish submits what passed', async () => {
  const { path, name, write } = await stage.init('evaluated');
  const checks = (text: string) =>
    JSON.stringify({ checks: [{ type: 'string_check', operation: 'contains', reference: text }] });
  write('evaluation.json', checks('No such word'));
  const failed = await stage.run(['publish', '--json'], { cwd: path });
  expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([
    1,
    { outcome: 'evaluation_failed', deployment_id: null, evaluation: { status: 'failed', passed: 0, total: 2 } },
  ]);
  write('evaluation.json', checks('soft'));
  stage.upstream.script({ text: verse });
  const passed = await stage.run(['eval', '--json'], { cwd: path });
  expect([passed.code, JSON.parse(passed.stdout)]).toMatchObject([0, { status: 'passed' }]);
  const submitted = await stage.run(['publish', '--json'], { cwd: path });
  const { id } = JSON.parse(passed.stdout) as { id: string };
  expect([submitted.code, JSON.parse(submitted.stdout)]).toMatchObject([
    0,
    { outcome: 'submitted', evaluation: { run_id: id } },
  ]);
  write('evaluation.json', '{\n  "checks": [{ "type": "cost", "max_cost_usd": -1 }]\n}\n');
  const refused = await stage.run(['eval'], { cwd: path });
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/^evaluation\.json:2:32: error: cases\.0\.checks\.0\.max_cost_usd: Input /m),
  ]);
  expect(await stage.run(['eval', '--of', 'live'], { cwd: path })).toMatchObject({ code: 1 });
  expect((await stage.run(['agents'])).stdout).toContain(name);
});

test('pull writes a folder that says the same as the draft', async () => {
  const { path, name, change, write } = await stage.init('pulled', '--template', 'typed');
  change({ temperature: 0.5, compaction: { mode: 'truncate' }, requires_approval: null, question_forms: true });
  writeFileSync(join(path, 'icon.png'), Buffer.from(PIXEL, 'base64'));
  write('evaluation.json', '{ "checks": [{ "type": "latency", "max_seconds": 60 }] }');
  await stage.run(['eval'], { cwd: path });
  expect(await stage.run(['publish', '--private'], { cwd: path })).toMatchObject({ code: 0 });
  expect(await stage.run(['pull', name, 'copy'])).toMatchObject({ code: 0 });
  const copy = join(stage.home, 'copy');
  expect(readFileSync(join(copy, 'icon.png')).toString('base64')).toBe(PIXEL);
  const same = await stage.run(['publish', '--private', '--json'], { cwd: copy });
  expect(JSON.parse(same.stdout)).toMatchObject({ outcome: 'deployed', is_new: false });
  expect((await stage.run(['pull', name, 'copy'])).stderr).toContain('nothing was written');
});

test('a version is rolled out in steps and taken back, a channel moves, and earnings are listed', async () => {
  const { path, name, change } = await stage.init('rolled');
  const approved = async () => {
    const waiting = stage.start(['publish', '--wait', '--json'], { cwd: path });
    await waiting.said('Waits for a reviewer.');
    const [, id] = /(dep_\w+)/.exec((await stage.run(['publish'], { cwd: path })).stderr)!;
    return { id: id!, waiting };
  };
  const first = await approved();
  await stage.read(stage.decide(first.id, 'approve'), 200);
  expect((await first.waiting.ended).code).toBe(0);

  change({ description: 'Writes a verse of four lines about all things.' });
  const next = await approved();
  const planned = await stage.run(['rollout', '--steps', '10,100', '--runs', '5', '--json'], { cwd: path });
  expect(JSON.parse(planned.stdout)).toMatchObject({
    id: next.id,
    rollout: { steps: [{ percentage: 10 }, { percentage: 100 }] },
  });
  await stage.read(stage.decide(next.id, 'approve'), 200);
  const ended = await next.waiting.ended;
  expect(JSON.parse(ended.stdout)).toMatchObject({ outcome: 'approved', rollout_percentage: 10 });
  expect((await stage.run(['rollout'], { cwd: path })).stdout).toContain('10 % of new sessions');
  const set = await stage.run(['channels', 'set', 'beta', '2', '--json'], { cwd: path });
  expect(JSON.parse(set.stdout)).toMatchObject({ agent: `${name}@beta`, version_number: 2 });
  expect(await stage.run(['rollback'], { cwd: path })).toMatchObject({ code: 0 });
  const { stdout } = await stage.run(['versions'], { cwd: path });
  expect(stdout).toMatch(/^ *2 .*@beta/m);
  expect(stdout).toMatch(/^ *1 .*public/m);
  expect(await stage.run(['rollback'], { cwd: path })).toMatchObject({ code: 1 });
  expect((await stage.run(['earnings', '--month', '2026-01'])).stdout).toContain('Earned');
  expect(await stage.run(['rollout', '--steps', '50,10'], { cwd: path })).toMatchObject({ code: 2 });
});
