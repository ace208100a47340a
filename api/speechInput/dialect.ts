import { parseMultiSpeechInputFrame, parseSpeechInputFrame, type MultiSpeechInputFrame } from './frames.ts';

/** What a frame wants, besides its text, flush and trigger. */
export interface Wish {
  frame: MultiSpeechInputFrame;
  /** Which speech it is of. */
  contextId: string;
  action: 'speak' | 'keepAlive' | 'stop' | 'end' | 'endAll';
}

/** How the two sockets differ. */
export interface Dialect {
  parse: (data: string) => Wish;
  contextsMax: number;
  /** Whether the socket ends with its speech, and its frames name no context. */
  isSingle: boolean;
}

// The context of frames that name none.
const DEFAULT_CONTEXT = 'default';

/** `stream-input`: one speech, which an empty text ends. */
export const SINGLE: Dialect = {
  parse: (data) => {
    const frame = parseSpeechInputFrame(data);
    return { frame, contextId: DEFAULT_CONTEXT, action: frame.text === '' ? 'end' : 'speak' };
  },
  contextsMax: 1,
  isSingle: true,
};

/** `multi-stream-input`: several speeches at once, as many as ElevenLabs allows. */
export const MULTI: Dialect = {
  parse: (data) => {
    const frame = parseMultiSpeechInputFrame(data);
    return { frame, contextId: frame.context_id ?? DEFAULT_CONTEXT, action: actionOf(frame) };
  },
  contextsMax: 5,
  isSingle: false,
};

function actionOf({ text = '', flush, close_context, close_socket }: MultiSpeechInputFrame): Wish['action'] {
  if (close_socket) return 'endAll';
  if (close_context) return 'stop';
  return text === '' && !flush ? 'keepAlive' : 'speak';
}
