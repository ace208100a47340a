/** An event of a run: see RunEvent in /openapi.json. */
export interface RunEvent {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

const LAST_TYPES = new Set(['run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached']);

/** Follows a run until its end across any number of lost connections. Yields each event once, in order. */
export async function* followRun(baseUrl: string, apiKey: string, runId: string): AsyncGenerator<RunEvent> {
  let lastId = '';
  for (let failures = 0; ; failures += 1) {
    try {
      const response = await fetch(`${baseUrl}/v1/runs/${runId}/events`, {
        headers: {
          accept: 'text/event-stream',
          authorization: `Bearer ${apiKey}`,
          ...(lastId && { 'last-event-id': lastId }),
        },
      });
      if (response.status === 204) return; // The last event was already received.
      const { ok, status } = response;
      if (!ok) throw new (status < 500 && status !== 429 ? RangeError : Error)(`${status} ${await response.text()}`);
      let rest = '';
      for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
        const frames = (rest + text).split('\n\n');
        rest = frames.pop()!; // Still incomplete.
        for (const frame of frames) {
          const json = /^data: (.*)$/m.exec(frame)?.[1];
          if (!json || !/^id: /m.test(frame)) continue; // A keep-alive, or an error without an event id.
          const event = JSON.parse(json) as RunEvent;
          [lastId, failures] = [event.id, 0];
          yield event;
          if (LAST_TYPES.has(event.type)) return;
        }
      }
    } catch (error) {
      if (error instanceof RangeError || failures >= 10) throw error; // Refused, or disconnected for too long.
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(10_000, 250 * 2 ** failures)));
  }
}

/** The texts of a run so far, by item. A retried step writes a new item. */
export function addText(texts: Map<string, string>, { type, data }: RunEvent): void {
  const item = String(data.item_id);
  if (type === 'run.output_text.done') texts.set(item, String(data.text));
  if (type !== 'run.output_text.delta') return;
  texts.set(item, (texts.get(item) ?? '').slice(0, Number(data.offset)) + String(data.delta));
}
