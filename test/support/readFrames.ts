/** One server-sent event as a client reads it: its name (null for a bare `data:` event) and its data. */
export interface Frame {
  event: string | null;
  data: string;
}

/**
 * Splits server-sent-event text into frames, without comments, which keep a connection alive; throws when another line is neither `event:`
 * nor `data:` or a frame does not end.
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
