import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { listen } from '../../../rules/scripted/startScripted.ts';

const SAMPLE_RATE = 24_000;
const BYTES_PER_SECOND = SAMPLE_RATE * 2;

/** The upstream's behaviour for a text: audio of this many seconds; then it ends, stalls, or breaks off. */
export interface VoiceScript {
  seconds: number;
  ending: 'end' | 'stall' | 'break';
  status?: number;
}

export type ScriptedVoice = Awaited<ReturnType<typeof startScriptedVoice>>;

/** A scripted OpenAI-compatible upstream for speech that records its requests and disconnects. */
export async function startScriptedVoice() {
  let script: VoiceScript = { seconds: 1, ending: 'end' };
  const calls: { input: string; said: Record<string, unknown>; hasLeft: boolean }[] = [];
  const { url, stop } = await listen(0, (req, res) => void answer(req, res));

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { input, ...said } = (await json(req)) as { input: string };
    const call: (typeof calls)[number] = { input, said, hasLeft: false };
    calls.push(call);
    res.on('close', () => {
      call.hasLeft = !res.writableFinished;
    });
    const { seconds, ending, status = 200 } = script;
    res.writeHead(status, { 'content-type': status === 200 ? 'audio/pcm' : 'application/json' });
    if (status !== 200) return void res.end('{"error":{"message":"broken"}}');
    res.write(Buffer.alloc(seconds * BYTES_PER_SECOND, 1));
    if (ending === 'end') res.end();
    if (ending === 'break') setTimeout(() => res.destroy(), 100);
  }

  return {
    url: `${url}/v1`,
    calls,
    setScript(newScript: VoiceScript): void {
      script = newScript;
      calls.length = 0;
    },
    stop,
  };
}
