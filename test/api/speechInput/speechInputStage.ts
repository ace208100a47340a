import { setVoiceStage } from '../voice/voiceStage.ts';
import { socketAt, type TestSocket } from '../../support/webSocket.ts';
import { until } from '../../support/until.ts';

/** A frame of the server. */
export interface ServerFrame {
  audio?: string | null;
  isFinal?: boolean | null;
  alignment?: Alignment | null;
  normalizedAlignment?: Alignment | null;
  flushed?: true;
  contextId?: string;
  character_count?: number;
  cost_usd?: number;
  message?: string;
  error?: string;
  code?: number;
  param?: string | null;
}

interface Alignment {
  chars: string[];
  charStartTimesMs: number[];
  charDurationsMs: number[];
}

type SocketOptions = NonNullable<Parameters<typeof socketAt>[2]>;

/** The sockets of a voice, at an API. */
export function speechSockets(url: () => string) {
  const pathOf = (query: string, route: string, voice = 'alloy') =>
    `/voiceapi/v1/text-to-speech/${voice}/${route}?${query}`;

  /** Opens one, and sends it frames. */
  async function open(frames: object[], options: SocketOptions & { query?: string; route?: string; voice?: string }) {
    const { query = 'output_format=pcm_16000', route = 'stream-input', voice, ...socketOptions } = options;
    const socket = await socketAt(url(), pathOf(query, route, voice), socketOptions);
    for (const frame of frames) socket.send(frame);
    return {
      ...socket,
      frames: framesOf(socket),
      seen: (wanted: (frame: ServerFrame) => boolean) => seen(socket, wanted),
    };
  }

  /** The same until the server has closed it. */
  async function talk(...asked: Parameters<typeof open>) {
    const { closed, frames } = await open(...asked);
    return { ...(await closed), frames };
  }

  return { open, talk, pathOf };
}

const framesOf = ({ events }: TestSocket) => events as unknown as ServerFrame[];

async function seen(socket: TestSocket, wanted: (frame: ServerFrame) => boolean): Promise<ServerFrame> {
  await until(() => framesOf(socket).some(wanted) || socket.ws.readyState === socket.ws.CLOSED);
  const found = framesOf(socket).find(wanted);
  if (!found) throw new Error(`the socket closed without it: ${JSON.stringify(framesOf(socket).at(-1))}`);
  return found;
}

/** The sound of frames, and the characters that they tell the times of. */
export const soundOf = (frames: ServerFrame[]): Buffer =>
  Buffer.concat(frames.map(({ audio }) => Buffer.from(audio ?? '', 'base64')));
export const toldIn = (frames: ServerFrame[]): string =>
  frames.flatMap(({ alignment }) => alignment?.chars ?? []).join('');

/** The voice stage with its sockets. */
export async function setSpeechInputStage() {
  const stage = await setVoiceStage();
  return { ...stage, ...speechSockets(() => stage.api.url) };
}
