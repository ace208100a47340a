import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import OpenAI, { toFile } from 'openai';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import type { RunObject } from '../../../db/runs/runObject.ts';
import { chatLine } from '../../support/batchStage.ts';
import { ask, chatBody, chatPath, setGuardStage, told, type GuardStage } from '../../support/guardStage.ts';
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from '../../support/otlpReceiver.ts';
import { startApiProcess, textModel, type ApiProcess } from '../../support/startApi.ts';
import { startWorkerProcess, type RunningWorker } from '../../support/startWorker.ts';
import { startTestTemporal, type TestTemporal } from '../../support/temporal.ts';
import { until } from '../../support/until.ts';

let temporal: TestTemporal;
let receiver: OtlpReceiver;
let stage: GuardStage<ApiProcess>;
let worker: RunningWorker;
let secret: string;

beforeAll(async () => {
  temporal = await startTestTemporal();
  receiver = await startOtlpReceiver();
  const env = {
    ...untraced(),
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=of-the-collector',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  };
  stage = await setGuardStage({ env, start: startApiProcess });
  await seedAgents(stage.db.everywhere);
  worker = await startWorkerProcess({ ...stage.addresses, temporalAddress: temporal.address, env });
  secret = (await stage.account({ creditUsd: '100' })).secret;
}, 600_000);
afterAll(async () => {
  await worker?.stop();
  await stage?.close();
  await receiver?.stop();
  await temporal?.stop();
});

// Names each OpenTelemetry module that a process loads.
const naming = `import { registerHooks } from 'node:module';
registerHooks({ resolve: (specifier, context, next) => {
  const found = next(specifier, context);
  if (found.url.includes('/@opentelemetry/')) process.stderr.write('loaded ' + found.url + '\\n');
  return found;
} });`;

const untraced = () => ({
  TEMPORAL_ADDRESS: temporal.address,
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(naming)}`,
});

const loadedBy = ({ lines }: { lines: string[] }) => lines.filter((line) => line.startsWith('loaded '));

/** A caller that traces. */
function caller() {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { 'x-api-key': secret, traceparent: `00-${traceId}-${spanId}-01` } };
}

const spansOf = (traceId: string): ReceivedSpan[] => receiver.spans.filter((span) => span.traceId === traceId);

/** The names from the caller's span down to this one. */
function pathTo(span: ReceivedSpan): string[] {
  const parent = spansOf(span.traceId).find(({ spanId }) => spanId === span.parentSpanId);
  return parent ? [...pathTo(parent), span.name] : [span.name];
}

/** Resolves when a span with this path has been received. */
async function untilPath(traceId: string, path: string[]): Promise<ReceivedSpan> {
  const found = () => spansOf(traceId).find((span) => pathTo(span).join() === path.join());
  await until(() => found() !== undefined, { timeoutMs: 120_000 }).catch((error: unknown) => {
    throw new Error(
      `${path.join(' > ')} is not in\n${spansOf(traceId)
        .map((span) => pathTo(span).join(' > '))
        .join('\n')}`,
      { cause: error },
    );
  });
  return found()!;
}

const route = `POST ${chatPath}`;
const chat = `chat ${textModel}`;

describe('a chat completion is one trace', () => {
  test.each([
    [{ stream: false }, 'settlement_batches_write'],
    // The sent part of a stream is stored for a client that reconnects.
    [{ stream: true }, 'settlement_batches_write_kept'],
  ])('with %j', async (members, written) => {
    const { traceId, spanId, headers } = caller();
    const text = 'Purple elephants';
    const answer = await stage.ask(chatPath, { headers, body: chatBody({ ...members, messages: told({ text }) }) });
    expect(await answer.text()).toContain('elephants');
    const server = await untilPath(traceId, [route]);
    expect(server).toMatchObject({ service: 'ledgerline-api', parentSpanId: spanId, kind: 2, isFailed: false });
    expect(server.attributes).toEqual({
      'http.request.method': 'POST',
      'url.scheme': 'http',
      'http.route': chatPath,
      'http.response.status_code': 200,
      'ledgerline.request_id': answer.headers.get('x-request-id'),
    });
    await untilPath(traceId, [route, 'ledger.hold']);
    const model = await untilPath(traceId, [route, chat]);
    expect(model.attributes).toMatchObject({ 'gen_ai.provider.name': 'main', 'gen_ai.usage.output_tokens': 2 });
    const upstream = await untilPath(traceId, [route, chat, 'POST']);
    expect(upstream.attributes).toMatchObject({ 'server.address': '127.0.0.1', 'http.response.status_code': 200 });
    expect(stage.upstream.calls().at(-1)!.headers.traceparent).toBe(`00-${traceId}-${upstream.spanId}-01`);
    const statement = await untilPath(traceId, [route, 'ledger.settle', 'ledger.write', written]);
    expect(statement.attributes).toMatchObject({ 'db.system.name': 'postgresql' });
    expectNoContent(spansOf(traceId), [secret, 'elephants', 'scripted']);
  });

  test('that its log lines name', async () => {
    const { traceId, headers } = caller();
    const answer = await stage.ask(chatPath, { headers, body: chatBody() });
    const { spanId } = await untilPath(traceId, [route]);
    const requestId = answer.headers.get('x-request-id')!;
    await until(() => stage.api.lines.some((line) => line.includes(requestId)));
    const line = JSON.parse(stage.api.lines.find((line) => line.includes(requestId))!) as object;
    expect(line).toMatchObject({ requestId, trace_id: traceId, span_id: spanId });
  });

  test('which fails with its upstream', async () => {
    const { traceId, headers } = caller();
    const body = chatBody({ messages: told({ status: 500 }) });
    expect((await stage.ask(chatPath, { headers, body })).status).toBe(502);
    expect(await untilPath(traceId, [route])).toMatchObject({ isFailed: true });
    const upstream = await untilPath(traceId, [route, chat, 'POST']);
    expect(upstream).toMatchObject({ isFailed: true, attributes: { 'error.type': '500' } });
    await untilPath(traceId, [route, 'ledger.fail', 'ledger.write', 'settlement_batches_write']);
  });

  test('that its caller may ask not to record', async () => {
    const { traceId, spanId, headers } = caller();
    const traceparent = `00-${traceId}-${spanId}-00`;
    await (await stage.ask(chatPath, { headers: { ...headers, traceparent }, body: chatBody() })).text();
    expect(stage.upstream.calls().at(-1)!.headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    const later = caller();
    await stage.ask('/v1/models', { headers: later.headers });
    await untilPath(later.traceId, ['GET /v1/models']);
    expect(spansOf(traceId)).toEqual([]);
  });

  test('of its own where the header is not valid', async () => {
    const traceparent = `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`;
    const answer = await stage.ask('/v1/models', { headers: { 'x-api-key': secret, traceparent } });
    const requestId = answer.headers.get('x-request-id');
    const found = () => receiver.spans.find(({ attributes }) => attributes['ledgerline.request_id'] === requestId);
    await until(() => found() !== undefined);
    expect(found()).toMatchObject({ parentSpanId: '', traceId: expect.not.stringMatching(/^0+$/) });
  });
});

const started = ['POST /v1/runs', 'StartWorkflow:run', 'RunWorkflow:run'];

test('a run is one trace, over both processes', async () => {
  const { traceId, spanId, headers } = caller();
  const body = JSON.stringify({ agent: 'ledgerline/writer', input: 'What is two and two?' });
  const { id } = (await (await stage.ask('/v1/runs', { headers, body })).json()) as RunObject;
  const read = async () =>
    (await (await stage.ask(`/v1/runs/${id}`, { headers: { 'x-api-key': secret } })).json()) as RunObject;
  await until(async () => (await read()).status === 'completed', { timeoutMs: 120_000 });
  const ended = await untilPath(traceId, started);
  expect(ended).toMatchObject({ service: 'ledgerline-worker', attributes: { 'temporal.workflow.id': id } });
  const activity = await untilPath(traceId, [...started, 'RunActivity:modelStep']);
  expect(activity.endNanos <= ended.endNanos + 1_000_000_000n).toBe(true);
  const upstream = spansOf(traceId).find(({ name, service }) => name === 'POST' && service === 'ledgerline-worker')!;
  expect(pathTo(upstream).slice(0, 4)).toEqual([...started, 'RunActivity:modelStep']);
  expect(stage.upstream.calls().map((call) => call.headers.traceparent)).toContain(
    `00-${traceId}-${upstream.spanId}-01`,
  );
  const statements = spansOf(traceId).filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
  const services = new Set(statements.map(({ service }) => service));
  expect(services).toEqual(new Set(['ledgerline-api', 'ledgerline-worker']));
  expect(statements.some((span) => pathTo(span).slice(0, 4).join() === pathTo(activity).join())).toBe(true);
  expect((await untilPath(traceId, ['POST /v1/runs'])).parentSpanId).toBe(spanId);
  expectNoContent(spansOf(traceId), [secret, 'two and two']);
});

test('a run that fails is found in the worker’s log by its trace', async () => {
  const { traceId, headers } = caller();
  const input = told({ status: 400 })[0]!.content;
  const body = JSON.stringify({ agent: 'ledgerline/writer', input });
  expect((await stage.ask('/v1/runs', { headers, body })).status).toBe(202);
  const activity = await untilPath(traceId, [...started, 'RunActivity:modelStep']);
  expect(activity).toMatchObject({ isFailed: true, attributes: { 'error.type': 'ApplicationFailure' } });
  await until(() => worker.lines.some((text) => text.includes(traceId)));
  const line = JSON.parse(worker.lines.find((text) => text.includes(traceId))!) as object;
  expect(line).toMatchObject({ msg: 'a step failed', trace_id: traceId, span_id: activity.spanId });
});

test('a batch is one trace, to the calls of its lines', async () => {
  const { traceId, headers } = caller();
  const client = new OpenAI({ baseURL: `${stage.url}/v1`, apiKey: secret, maxRetries: 0 });
  const lines = [chatLine('one', 'Say purple.'), chatLine('two', 'Say elephant.')].map((line) => JSON.stringify(line));
  const file = await client.files.create({
    file: await toFile(Buffer.from(lines.join('\n')), 'b.jsonl'),
    purpose: 'batch',
  });
  const order = {
    input_file_id: file.id,
    endpoint: chatPath as '/v1/chat/completions',
    completion_window: '24h' as const,
  };
  const { id } = await client.batches.create(order, { headers: { traceparent: headers.traceparent } });
  await until(async () => (await client.batches.retrieve(id)).status === 'completed', { timeoutMs: 120_000 });
  const workflow = ['POST /v1/batches', 'StartWorkflow:batch', 'RunWorkflow:batch'];
  await untilPath(traceId, workflow);
  const line = [...workflow, 'RunActivity:runBatchLines'];
  await untilPath(traceId, [...line, 'ledger.hold']);
  const upstream = await untilPath(traceId, [...line, chat, 'POST']);
  expect(stage.upstream.calls().map((call) => call.headers.traceparent)).toContain(
    `00-${traceId}-${upstream.spanId}-01`,
  );
  await untilPath(traceId, [...line, 'ledger.settle', 'ledger.write', 'batch_lines_write']);
  expectNoContent(spansOf(traceId), [secret, 'purple', 'elephant']);
});

test('the receiver is sent its headers, in protobuf', () => {
  for (const { path, headers } of receiver.requests) {
    expect(path).toBe('/v1/traces');
    expect(headers).toMatchObject({ 'content-type': 'application/x-protobuf', 'x-collector-key': 'of-the-collector' });
  }
  expect(receiver.requests.length).toBeGreaterThan(0);
});

test('without a receiver no part of OpenTelemetry is loaded, and no header is sent', async () => {
  expect([stage.api, worker].map((program) => loadedBy(program).length > 0)).toEqual([true, true]);
  const plain = await startApiProcess({ ...stage.addresses, env: untraced() });
  const plainWorker = await startWorkerProcess({
    ...stage.addresses,
    temporalAddress: temporal.address,
    env: untraced(),
  });
  try {
    const { headers } = caller();
    await (await ask(plain.url, chatPath, { headers, body: chatBody({ stream: true }) })).text();
    expect(stage.upstream.calls().at(-1)!.headers).not.toHaveProperty('traceparent');
    expect([...loadedBy(plain), ...loadedBy(plainWorker)]).toEqual([]);
  } finally {
    await plainWorker.stop();
    await plain.stop();
  }
});

function expectNoContent(spans: ReceivedSpan[], words: string[]): void {
  const text = JSON.stringify(spans, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  expect(words.filter((word) => text.includes(word))).toEqual([]);
}
