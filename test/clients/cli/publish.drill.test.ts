import { afterAll, describe, expect, test } from '@jest/globals';
import { setPublishStage, verse } from './publishStage.ts';

const stage = await setPublishStage();
afterAll(() => stage.close());

const outcomeOf = (stdout: string) =>
  JSON.parse(stdout) as { outcome: string; deployment_id: string; findings: object[] };

test('a new folder is deployed privately, and its agent answers', async () => {
  const { path, name } = await stage.init('poet');
  const deployed = await stage.run(['publish', '--private'], { cwd: path });
  expect(deployed).toMatchObject({ code: 0, stdout: '' });
  expect(deployed.stderr).toContain(`ledgerline run ${name} --private 'Rain on a tin roof'`);
  const answered = await stage.run(['run', name, 'Rain'], { cwd: path });
  expect(answered).toMatchObject({ code: 0, stdout: `${verse}\n` });
  const detached = () =>
    stage.run(['run', name, 'Rain', '--idempotency-key', 'rain-of-today', '--detach'], { cwd: path });
  const first = await detached();
  expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(/run_/) });
  expect(await detached()).toMatchObject({ code: 0, stdout: first.stdout });

  // The same content makes no other version.
  const again = await stage.run(['publish', '--private', '--json'], { cwd: path });
  expect(JSON.parse(again.stdout)).toMatchObject({ outcome: 'deployed', is_new: false, agent: name });
  expect(await stage.versionsOf(name)).toHaveLength(1);
});

test('a private agent with data is run by the printed command, and is a typed function', async () => {
  const { path, name, read } = await stage.init('private', '--template', 'typed');
  const { stderr } = await stage.run(['publish', '--private'], { cwd: path });
  const [, data] = /--private --data '(.*)'$/m.exec(stderr)!;
  const answered = await stage.run(['run', name, '--private', '--data', data!]);
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('delivery') });

  const asText = await stage.run(['run', name, '--private', 'Hello']);
  expect([asText.code, asText.stderr]).toEqual([1, expect.stringContaining('--data')]);

  expect(await stage.run(['add', name, '--out', '.'], { cwd: path })).toMatchObject({ code: 0 });
  const written = read('private.ts');
  expect(written).toContain(`defineAgent<PrivateAgentInput, PrivateAgentOutput>("${name}", { visibility: 'private' })`);
  expect(written).toContain('message: string;');
  const checked = await stage.run(['add', name, '--out', '.', '--private', '--check'], { cwd: path });
  expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('is up to date') });
});

test('add says where a private agent is missing', async () => {
  const { code, stderr } = await stage.run(['add', 'acme/nothing', '--private']);
  expect(code).toBe(1);
  expect(stderr).toContain('no private version of acme/nothing');
  expect(stderr).toContain('publish --private');
});

test.each(['text', 'typed', 'tools'])('the template %s is accepted', async (template) => {
  const { path, name } = await stage.init(`new-${template}`, '--template', template);
  const submitted = await stage.run(['publish', '--json'], { cwd: path });
  // The review may have begun, and have advice.
  const findings = expect.not.arrayContaining([expect.objectContaining({ severity: 'blocking' })]);
  const report = { outcome: 'submitted', agent: name, findings };
  expect([submitted.code, JSON.parse(submitted.stdout)]).toMatchObject([0, report]);
});

test('init replaces no file, and says so', async () => {
  const { path, read } = await stage.init('kept');
  const before = read('agent.json');
  const again = await stage.run(['init'], { cwd: path });
  expect(again.code).toBe(1);
  expect(again.stderr).toContain('agent.json exists: nothing was written.');
  expect(read('agent.json')).toBe(before);
});

describe('publish --wait', () => {
  test('waits for the approval, and another workspace runs the agent', async () => {
    const { path, name } = await stage.init('approved');
    const waiting = stage.start(['publish', '--wait', '--release-notes', 'The first one.', '--json'], { cwd: path });
    await waiting.said('Waits for a reviewer.');
    const [, id] = /(dep_\w+)/.exec((await stage.run(['publish'], { cwd: path })).stderr)!;
    await stage.read(stage.decide(id!, 'comments', { message: 'Looks fine.' }), 201);
    await waiting.said('operator: Looks fine.');
    await stage.read(stage.decide(id!, 'approve'), 200);
    const ended = await waiting.ended;
    expect([ended.code, JSON.parse(ended.stdout)]).toMatchObject([
      0,
      { outcome: 'approved', deployment_id: id, status: 'active', agent: name, is_new: true },
    ]);
    expect(ended.stderr).toContain('trial of examples/rain.txt: completed');
    expect(ended.stderr).toContain('publisher: The first one.');
    const used = await stage.run(['run', name, 'Rain'], { key: stage.stranger.secret });
    expect(used).toMatchObject({ code: 0, stdout: `${verse}\n` });

    const again = await stage.run(['publish', '--wait', '--json'], { cwd: path });
    expect([again.code, outcomeOf(again.stdout)]).toMatchObject([
      0,
      { outcome: 'approved', deployment_id: id, is_new: false },
    ]);
    expect(await stage.versionsOf(name)).toHaveLength(1);
  });

  test('goes on after an interruption, and ends with the findings of a reviewer, each at its line', async () => {
    const { path, name, change } = await stage.init('returned');
    const left = stage.start(['publish', '--wait', '--json'], { cwd: path });
    await left.said('Waits for a reviewer.');
    left.interrupt();
    const interrupted = await left.ended;
    expect([interrupted.code, outcomeOf(interrupted.stdout)]).toMatchObject([130, { outcome: 'interrupted' }]);

    const waiting = stage.start(['publish', '--wait'], { cwd: path });
    await waiting.said('Waits for a reviewer.');
    const { deployment_id: id } = outcomeOf(interrupted.stdout);
    const feedback = [
      { severity: 'blocking', code: 'unclear', path: '/pricing/maximum_cost_usd', message: 'is too much.' },
      { severity: 'advisory', code: 'unclear', path: '/example_prompts/1', message: 'is like the first.' },
    ];
    await stage.read(stage.decide(id, 'request-changes', { feedback }), 200);
    const ended = await waiting.ended;
    expect(ended.code).toBe(8);
    expect(ended.stderr).toMatch(/^agent\.json:9:5: error: pricing\.maximum_cost_usd is too much\. \(unclear\)$/m);
    expect(ended.stderr).toMatch(/^examples\/tea\.txt:1:1: note: example_prompts\.1 is like the first\. \(unclear\)$/m);
    expect(await stage.versionsOf(name)).toHaveLength(1);

    // What was sent back is not sent again, until it has changed.
    expect(await stage.run(['publish'], { cwd: path })).toMatchObject({ code: 8 });
    change({ description: 'Writes a verse of four lines, about anything at all.' });
    expect(await stage.run(['publish'], { cwd: path })).toMatchObject({ code: 0 });
    expect(await stage.versionsOf(name)).toHaveLength(2);
  });
});

test('the exit code tells a rejection and the end of --timeout apart, and the review goes on', async () => {
  const { path, name } = await stage.init('turned-down');
  const late = await stage.run(['publish', '--wait', '--timeout', '0.01', '--json'], { cwd: path });
  expect([late.code, outcomeOf(late.stdout)]).toMatchObject([10, { outcome: 'timed_out', status: 'in_review' }]);
  const waiting = stage.start(['publish', '--wait', '--channel', 'beta'], { cwd: path });
  await waiting.said('Waits for a reviewer.');
  const feedback = [{ severity: 'blocking', code: 'spam', path: '', message: 'is not wanted.' }];
  await stage.read(stage.decide(outcomeOf(late.stdout).deployment_id, 'reject', { feedback }), 200);
  const ended = await waiting.ended;
  expect([ended.code, ended.stderr]).toEqual([
    9,
    expect.stringContaining('agent.json:1:1: error: is not wanted. (spam)'),
  ]);
  expect((await stage.run(['channels', '--agent', name, '--json'])).stdout).toBe('[]\n');
});

test('a key without the scope is told what to do, and options that exclude each other are a wrong usage', async () => {
  const { path } = await stage.init('unscoped');
  const { secret: key } = await stage.account({ scopes: ['llm'] });
  const refused = await stage.run(['publish', '--private'], { cwd: path, key });
  expect([refused.code, refused.stderr]).toEqual([
    3,
    expect.stringMatching(/scope "publisher".*\n.*ledgerline login --scopes/),
  ]);
  expect(await stage.run(['publish', '--private', '--wait'], { cwd: path })).toMatchObject({ code: 2 });
  expect(await stage.run(['publish', '--channel', 'beta'], { cwd: path })).toMatchObject({ code: 2 });
  const elsewhere = await stage.run(['publish'], { cwd: stage.home });
  expect([elsewhere.code, elsewhere.stderr]).toEqual([1, expect.stringContaining('ledgerline init')]);
});

describe('what is wrong is said with its place', () => {
  test('of a draft that cannot be published', async () => {
    const { path, change, write } = await stage.init('wrong', '--template', 'typed');
    change({ categories: ['Up Case'], tools: ['fly'] });
    write('examples/late.json', '{\n  "message": 3\n}\n');
    write('input.schema.json', '{\n  "type": "object",\n  "properties": { "message": { "type": "string" } }\n}\n');
    const refused = await stage.run(['publish'], { cwd: path });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^agent\.json:\d+:5: error: categories\.0 must be lowercase words joined by hyphens \(invalid\)$/m,
    );
    expect(refused.stderr).toMatch(/^agent\.json:\d+:\d+: error: tools\.0 there is no tool 'fly' \(unknown_tool\)$/m);
    expect(refused.stderr).toMatch(/^examples\/late\.json:1:1: error: example_prompts\.1 must be input that fits/m);
  });

  test('of a schema, a taken namespace, an unknown member, and a text that is no JSON', async () => {
    const { path, change, write, read } = await stage.init('odd', '--template', 'typed');
    write(
      'input.schema.json',
      '{\n  "type": "object",\n  "properties": {\n    "message": { "type": "text" }\n  }\n}\n',
    );
    expect((await stage.run(['publish'], { cwd: path })).stderr).toMatch(/^input\.schema\.json:4:18: error: /m);
    write('input.schema.json', '{\n  "type": "object",\n}\n');
    expect((await stage.run(['publish'], { cwd: path })).stderr).toMatch(
      /^input\.schema\.json:3:1: error: This is no JSON/m,
    );
    write('input.schema.json', '{ "type": "object" }');
    change({ colour: 'red' });
    const at =
      read('agent.json')
        .split('\n')
        .findIndex((line) => line.includes('colour')) + 1;
    expect((await stage.run(['publish'], { cwd: path })).stderr).toContain(`agent.json:${at}:3: error: colour`);
    change({ colour: undefined });
    expect(await stage.run(['publish', '--private'], { cwd: path })).toMatchObject({ code: 0 });
    const taken = await stage.run(['publish', '--json'], { cwd: path, key: stage.stranger.secret });
    expect([taken.code, JSON.parse(taken.stdout)]).toMatchObject([
      1,
      { outcome: 'refused', findings: [{ code: 'namespace_taken', file: 'agent.json', line: 3 }] },
    ]);
  });
});
