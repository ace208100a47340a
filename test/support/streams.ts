/** A server-sent event with its position in the stream. */
export interface ReadEvent {
  id: string;
  type: string;
  data: { sequence: number; type: string; id: string; data: Record<string, unknown> };
}

/** An event stream as a client reads it: events as they arrive, until its end. Comments and the retry time are separate. */
export async function* readEvents(
  response: { body: AsyncIterable<Uint8Array> | null },
  notes: { comments: string[]; retry?: number } = { comments: [] },
): AsyncGenerator<ReadEvent> {
  // Decoded here, not in a separate stream, because some tests have many readers in one process.
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body!) {
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const event = readBlock(block, notes);
      if (event) yield event;
    }
  }
  if (rest !== '') throw new Error(`The last event does not end: ${rest}`);
}

function readBlock(block: string, notes: { comments: string[]; retry?: number }): ReadEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name, value] = /^(\w*): (.*)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`Not a field: ${line}`);
    if (name === '') notes.comments.push(value!);
    else fields.set(name, value!);
  }
  if (fields.has('retry')) notes.retry = Number(fields.get('retry'));
  if (!fields.has('data')) return undefined;
  const [id, type, data] = ['id', 'event', 'data'].map((name) => fields.get(name)!);
  return { id: id!, type: type!, data: JSON.parse(data!) as ReadEvent['data'] };
}

/** One server-sent event as a client reads it: its name (null for a bare `data:` event) and its data. */
interface Frame {
  event: string | null;
  data: string;
}

/**
 * Splits server-sent-event text into frames, without keep-alive comments; throws if another line is neither `event:` nor `data:` or a frame
 * does not end.
 */
export function readFrames(text: string): Frame[] {
  if (text === '') return [];
  if (!text.endsWith('\n\n')) throw new Error(`The last frame does not end: ${text.slice(-80)}`);
  const blocks = text.slice(0, -2).split('\n\n');
  return blocks.filter((block) => !block.startsWith(':')).map(readFrame);
}

/** The JSON of every frame, without the closing `[DONE]`. */
export function readJson<T>(text: string): T[] {
  return readFrames(text)
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => JSON.parse(data) as T);
}

function readFrame(block: string): Frame {
  const frame: Frame = { event: null, data: '' };
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) frame.event = line.slice(7);
    else if (line.startsWith('data: ')) frame.data += line.slice(6);
    else throw new Error(`Neither an event nor data: ${line}`);
  }
  return frame;
}

/** All items of a stream, in order. */
export async function collect<T>(items: AsyncIterable<T> | PromiseLike<AsyncIterable<T>>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of await items) all.push(item);
  return all;
}
