/** A server-sent event with its place in the stream. */
export interface ReadEvent {
  id: string;
  type: string;
  data: { sequence: number; type: string; id: string; data: Record<string, unknown> };
}

/** An event stream as a client reads it: events as they come, until its end. Comments and the retry time are kept apart. */
export async function* readEvents(
  response: { body: AsyncIterable<Uint8Array> | null },
  notes: { comments: string[]; retry?: number } = { comments: [] },
): AsyncGenerator<ReadEvent> {
  // Decoded here, not in a stream of its own: storms have many readers in one process.
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
