import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import {
  InvalidRequestError,
  NotFoundError,
  RunFailedError,
  RunLimitReachedError,
  RunRequiresActionError,
  WebhookVerificationError,
  type RequiredAction,
  type RunEvent,
} from '../../../clients/typescript/src/index.ts';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createKey } from '../../../db/keys/keyStore.ts';
import { startReceiver, type Received } from '../../flow/stages/webhookStage.ts';
import { makeFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { asking, askingTogether, call, setSdkStage, told } from './sdkStage.ts';

const stage = await setSdkStage();
const client = stage.client;
afterEach(() => stage.upstream.reset());
afterAll(() => stage.close());

const cli = join(import.meta.dirname, '../../../clients/typescript/cli/main.ts');

const makeKey = (scopes: string[]) =>
  createKey(stage.db.everywhere, { workspaceId: stage.caller.workspaceId, name: 'test', scopes });

async function thrownBy<Thrown>(promise: Promise<unknown>): Promise<Thrown> {
  await expect(promise).rejects.toBeDefined();
  return promise.catch((error: unknown) => error) as Promise<Thrown>;
}

const long = Array.from({ length: 60 }, (_, at) => `wörd ${at} 🌧`).join(' ');

describe('a run', () => {
  test('resolves with its text, its files and what it cost', async () => {
    const write = call('write_file', { path: 'poem.md', content: 'Rain.' });
    const input = told({ turns: [{ toolCalls: [write] }, { text: 'Here it is.' }] });
    const { output, files, costUsd, run } = await client.agents.run(stage.poet, input, { metadata: { team: 'a' } });
    expect(output).toBe('Here it is.');
    expect(files).toMatchObject([{ filename: 'poem.md' }]);
    expect(run).toMatchObject({ status: 'completed', metadata: { team: 'a' } });
    expect(costUsd).toBe(run.usage.total_usd);
    expect(costUsd).toBeGreaterThan(0);
    expect(await (await client.files.download(files[0]!.file_id)).text()).toBe('Rain.');
  });

  test('takes and gives data of a typed agent', async () => {
    stage.upstream.script({ toolCalls: [call('return_data', { rain: 0.5 })] });
    const { data } = await client.agents.run<{ rain: number }>(stage.forecaster, { city: 'Oslo' });
    expect(data.rain).toBe(0.5);
  });

  test('gets files that are uploaded first, and knows its session', async () => {
    const files = [new File(['a,b\n1,2\n'], 'table.csv')];
    stage.upstream.script({ text: 'Read.' });
    const first = await client.agents.run(stage.poet, 'Read it.', { files });
    expect(first.run.input).toMatchObject([{ type: 'input_text' }, { type: 'input_file' }]);
    const session = first.run.session_id;
    const second = await client.agents.run(stage.poet, told({ text: 'Two.' }), { session });
    expect(second.run.session_id).toBe(session);
  });

  test('throws what ended it, with the run', async () => {
    const failed = client.agents.run(stage.forecaster, { city: 'Oslo' });
    const error = await thrownBy<RunFailedError>(failed);
    expect(error).toBeInstanceOf(RunFailedError);
    expect(error).toMatchObject({ code: 'output_invalid', run: { status: 'failed', usage: { total_usd: 0 } } });
    const limited = client.agents.run(stage.poet, told({ fault: 'endless' }), { maxCostUsd: 0.01 });
    await expect(limited).rejects.toBeInstanceOf(RunLimitReachedError);
  });

  test('throws refusals by their class, with code, place and request id', async () => {
    const unknown = client.agents.run('test/nobody', 'Hello.');
    await expect(unknown).rejects.toMatchObject({ code: 'agent_not_found', requestId: expect.stringMatching(/^req_/) });
    await expect(unknown).rejects.toBeInstanceOf(NotFoundError);
    const wrong = client.agents.run(stage.forecaster, { town: 'Oslo' });
    await expect(wrong).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(wrong).rejects.toMatchObject({ status: 422, param: expect.stringContaining('input') });
  });

  test('is cancelled when its signal is aborted', async () => {
    const abort = new AbortController();
    let id = '';
    const running = client.agents.run(stage.poet, told({ fault: 'endless', delayMs: 5 }), {
      signal: abort.signal,
      onEvent: (event) => {
        id = event.run_id!;
        if (event.type === 'run.output_text.delta') abort.abort(new Error('enough'));
      },
    });
    await expect(running).rejects.toThrow('enough');
    expect(await client.runs.wait(id)).toMatchObject({ status: 'cancelled' });
  });

  test('whose answers are cut is one run with one bill', async () => {
    const before = await stage.runsAndBills();
    const cut = await stage.newCutClient([100, 1_500, Infinity, 400]);
    const { output, costUsd } = await cut.agents.run(stage.poet, told({ text: 'Once.' }));
    expect([output, cut.cutsLeft()]).toEqual(['Once.', 0]);
    expect(costUsd).toBeGreaterThan(0);
    await stage.db.ledger.posted();
    expect(await stage.runsAndBills()).toEqual({ runs: before.runs + 1, bills: before.bills + 1 });
  });

  test('that is ordered twice with one key of the caller is one run', async () => {
    const order = () => client.agents.start(stage.poet, told({ text: 'Once.' }), { idempotencyKey: 'order-4711' });
    const [first, second] = [await order(), await order()];
    expect(second.id).toBe(first.id);
  });
});

test('a webhook of the service is verified, and a changed one refused', async () => {
  const receiver = await startReceiver();
  const { secret: apiKey } = await makeKey(['manage']);
  const body = { url: receiver.url, event_types: ['run.completed' as const] };
  const { data: endpoint } = await stage.newClient({ apiKey }).api.POST('/platform/v1/webhook_endpoints', { body });
  const { run } = await client.agents.run(stage.poet, told({ text: 'Done.' }));
  const isOfRun = ({ body: text }: Received) => text.includes(run.id);
  await until(() => receiver.received.some(isOfRun));
  await receiver.stop();
  const { headers, body: sent } = receiver.received.find(isOfRun)!;
  const event = await client.webhooks.unwrap(sent, headers, endpoint.secret!);
  expect(event).toMatchObject({ type: 'run.completed', data: { id: run.id } });
  const changed = client.webhooks.unwrap(sent.replace('completed', 'cancelled'), headers, endpoint.secret!);
  await expect(changed).rejects.toBeInstanceOf(WebhookVerificationError);
});

test('an agent is added as a module, by the name of its channel or version, and checked', async () => {
  const folder = await makeFolder();
  const add = (...options: string[]) =>
    promisify(execFile)(process.execPath, [cli, '--json', 'add', ...options, '--out', folder.path], {
      env: { ...process.env, LEDGERLINE_BASE_URL: stage.url, LEDGERLINE_API_KEY: stage.caller.secret },
    });
  const { stdout } = await add(stage.forecaster, '--pin');
  const { path, agent, version } = JSON.parse(stdout) as { path: string; agent: string; version: string };
  expect(agent).toBe(`${stage.forecaster}@${version}`);
  const text = await readFile(path, 'utf8');
  expect(text).toContain(`city: string;\n  plan?: string;`);
  const { stdout: checked } = await add(stage.forecaster, '--pin', '--check');
  expect(JSON.parse(checked)).toMatchObject({ written: false });
  await expect(add(stage.forecaster, '--check')).rejects.toMatchObject({ code: 1 });
  await expect(add(`${stage.forecaster}@beta`)).rejects.toMatchObject({
    stderr: expect.stringContaining('no channel beta'),
  });
  await folder.remove();
});

describe('a question of a run', () => {
  test('is answered by the callback, and each of several once', async () => {
    const asked: RequiredAction[] = [];
    const { output } = await client.agents.run(stage.planner, told(askingTogether), {
      onAction: (action) => {
        asked.push(action);
        if (action.type === 'form') return { type: 'form', data: { city: 'Rome' } };
        return { type: 'tool_approval', decision: 'approve' };
      },
    });
    expect(output).toBe('Booked.');
    expect(asked.map(({ type }) => type)).toEqual(['form', 'tool_approval']);
  });

  test('without a callback is thrown, and can be answered later', async () => {
    const error = await thrownBy<RunRequiresActionError>(client.agents.run(stage.poet, told(asking)));
    expect(error).toBeInstanceOf(RunRequiresActionError);
    expect(error.actions).toMatchObject([{ type: 'text', question: 'Which city?' }]);
    await client.runs.answer(error.run, 'Rome');
    expect(await client.runs.wait(error.run)).toMatchObject({ status: 'completed' });
  });
});

describe('the events of a run', () => {
  test('come once and in order through connections that are cut, and their text is whole', async () => {
    const cut = await stage.newCutClient([900, 2_000, 300, 3_100, 40, 1_200, 2_500]);
    const run = await client.agents.start(stage.poet, told({ text: long, delayMs: 5 }));
    const stream = cut.runs.stream(run);
    const events: RunEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
    expect(events.at(-1)!.type).toBe('run.completed');
    expect(cut.cutsLeft()).toBe(0);
    expect(stream.text).toBe(long);
    expect([...stream.items.values()]).toEqual([long]);
    const final = await stream.finalRun();
    expect(final.output).toEqual([{ type: 'output_text', text: long }]);
    expect(stream.costUsd).toBe(final.usage.total_usd);
  });

  test('go on after an id, and a reader that has all gets the run', async () => {
    const run = await client.agents.start(stage.poet, told({ text: long }));
    const stream = client.runs.stream(run);
    for await (const event of stream) if (event.type === 'run.step.started') break;
    const seen = stream.lastEventId!;
    const rest: RunEvent[] = [];
    for await (const event of client.runs.stream(run, { lastEventId: seen })) rest.push(event);
    for await (const event of stream) expect(event.id).toBe(rest.shift()!.id);
    expect(rest).toEqual([]);
    const done = client.runs.stream(run, { lastEventId: stream.lastEventId });
    expect(await done.finalRun()).toMatchObject({ id: run.id, status: 'completed' });
  });
});
