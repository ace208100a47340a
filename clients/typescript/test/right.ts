// Compiled by `test/clients/sdk/types.test.ts` with the compiler of the package: all of it is right.
import { costOf, defineAgent, Ledgerline, RunFailedError, type Run, type RunEvent } from 'ledgerline';
import { forecaster } from './agents/forecaster.ts';
import { poet } from './agents/poet.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <_Same extends true>() => {};

const client = new Ledgerline({ apiKey: 'sk-1' });

// Plain calls: the data is there, and has the document's type.
const { data: run, response } = await client.api.GET('/v1/runs/{run_id}', { params: { path: { run_id: 'run_1' } } });
is<Same<typeof run, Run>>();
is<Same<typeof run.error, Run['error']>>();
const cost: number | null = costOf(response);
const { data: order } = await client.api.POST('/v1/runs', { body: { agent: 'acme/poet', input: 'Rain.' } });
is<Same<typeof order, Run>>();
const { data: bytes } = await client.api.GET('/v1/files/{file_id}/content', {
  params: { path: { file_id: 'file_1' } },
  parseAs: 'stream',
});
is<Same<typeof bytes, ReadableStream<Uint8Array<ArrayBuffer>> | null>>();

// Closed objects, of which a null member counts as absent.
const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
await client.api.POST('/v1/chat/completions', {
  body: { model: 'm', messages, stream: true, stream_options: { include_usage: true } },
});
await client.api.POST('/v1/audio/speech', {
  body: { model: 'm', input: 'Hi', voice: { id: 'alloy' } },
  parseAs: 'blob',
});

// Lists of every form.
for await (const one of client.pages('/v1/runs', { query: { status: 'failed' } })) is<Same<typeof one, Run>>();
for await (const one of client.pages('/v1/files')) one.filename.toUpperCase();
for await (const one of client.pages('/voiceapi/v2/voices')) one.voice_id.toUpperCase();
for await (const one of client.pages('/voiceapi/v1/history')) one.history_item_id.toUpperCase();
for await (const one of client.pages('/.well-known/ledgerline-roots.json')) one.date.toUpperCase();
for await (const one of client.pages('/a2a/tasks')) one.id.toUpperCase();
for await (const one of client.pages('/v1/runs/{run_id}/steps', { path: { run_id: 'run_1' } })) one.id.toUpperCase();

// Events are told apart by their type.
for await (const event of client.runs.stream('run_1')) {
  is<Same<typeof event, RunEvent>>();
  if (event.type === 'run.output_text.delta') event.data.delta.toUpperCase();
  if (event.type === 'run.failed') is<Same<typeof event.data, Run>>();
}

const result = await client.agents.run<{ lines: string[] }>('acme/poet', 'Rain.', {
  files: [new File(['a'], 'a.txt'), 'file_1'],
  maxCostUsd: 0.1,
  onAction: (action) => (action.type === 'text' ? 'Yes.' : undefined),
});
is<Same<typeof result.data, { lines: string[] }>>();
const stopped = (error: unknown): Run | undefined => (error instanceof RunFailedError ? error.run : undefined);

// Agents as functions.
const { data } = await forecaster({ city: 'Oslo', days: 3, units: 'metric' }, { client });
is<Same<typeof data.rain, number>>();
is<Same<typeof data.sky, 'clear' | 'cloudy' | null>>();
is<Same<typeof data.hours, { at: string; rain?: number }[]>>();
const poem = await poet('Rain.');
is<Same<typeof poem.output, string>>();
is<Same<typeof poem.data, undefined>>();
const own = defineAgent<{ topic: string }, { title: string }>('acme/own');
(await own({ topic: 'rain' })).data.title.toUpperCase();

// Vendors' clients keep their own types.
class Vendor {
  readonly key: string;
  constructor({ apiKey }: { apiKey: string; baseURL?: string; maxRetries?: number }) {
    this.key = apiKey;
  }
}
client.openai(Vendor, { maxRetries: 3 }).key.toUpperCase();

export { cost, stopped };
