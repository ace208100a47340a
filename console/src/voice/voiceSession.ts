import { api, answerOf, sendJson } from '../api/client.ts';
import { answerCall } from './demonstrationTool.ts';
import { withEvent, type Entry } from './entries.ts';
import { openMicrophone, type Microphone } from './microphone.ts';
import { Pulse } from './pulse.ts';
import type { RealtimeEvent, RealtimeResponse } from './realtimeEvents.ts';
import { base64Of, Speaker } from './speaker.ts';
import {
  balanceEmpty,
  failureAtStart,
  microphoneRefused,
  serviceSilent,
  socketClosed,
  socketRefused,
  type VoiceFailure,
} from './voiceFailures.ts';
import { secretBody, sessionOf, unchanged, type VoiceOrder } from './voiceOrder.ts';

type Phase = 'idle' | 'connecting' | 'open' | 'ended';

/** The page's view of a conversation. A changed state is a new object. */
export interface VoiceState {
  phase: Phase;
  entries: Entry[];
  /** The service detects speech in its input. */
  isHearing: boolean;
  /** An answer is awaited, and has not begun to play. */
  isThinking: boolean;
  isSpeaking: boolean;
  isMuted: boolean;
  hasMicrophone: boolean;
  answersUsd: number;
  /** The socket's id; the ids of the conversation's calls begin with it. */
  requestId: string | null;
  startedAt: string | null;
  /** The last error that did not end the conversation. */
  warning: string | null;
  failure: VoiceFailure | null;
}

export const IDLE: VoiceState = {
  phase: 'idle',
  entries: [],
  isHearing: false,
  isThinking: false,
  isSpeaking: false,
  isMuted: false,
  hasMicrophone: false,
  answersUsd: 0,
  requestId: null,
  startedAt: null,
  warning: null,
  failure: null,
};

// A response requested by the end of speech, before the service names it.
const AWAITED = 'awaited';

/** A conversation over the realtime socket: idle -> connecting -> open -> ended. */
export class VoiceSession {
  #state = IDLE;
  #order: VoiceOrder;
  readonly #listeners = new Set<() => void>();
  #socket: WebSocket | undefined;
  #pulse: Pulse | undefined;
  #microphone: Microphone | undefined;
  #speaker: Speaker | undefined;
  #response: string | null = null;
  /** Requested while another response ran. */
  #isResponseDue = false;
  readonly #silenced = new Set<string>();
  #said: { code: string; message: string } | null = null;
  #isClosed = false;

  constructor(order: VoiceOrder) {
    this.#order = order;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): VoiceState => this.#state;

  readonly levels = () => ({ microphone: this.#microphone?.level() ?? 0, speaker: this.#speaker?.level() ?? 0 });

  /** Opens the microphone, if it is wanted, and the socket. Failures are in the state. */
  async start({ withMicrophone }: { withMicrophone: boolean }): Promise<void> {
    this.#set({ phase: 'connecting', startedAt: new Date().toISOString() });
    try {
      this.#speaker = new Speaker(() => this.#set({ isSpeaking: this.#speaker?.isPlaying ?? false }));
      if (withMicrophone) await this.#openMicrophone();
      await this.#openSocket();
    } catch (error) {
      this.#close(failureAtStart(error));
    }
  }

  /** Applies other settings to the running conversation. */
  configure(order: VoiceOrder): void {
    this.#order = order;
    this.#send({ type: 'session.update', session: sessionOf(order) });
  }

  mute(isMuted: boolean): void {
    this.#microphone?.mute(isMuted);
    this.#set({ isMuted });
  }

  /** Sends a written message. */
  write(text: string): void {
    this.interrupt();
    const content = [{ type: 'input_text', text }];
    this.#send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
    this.#respond();
  }

  /** Stops the answer: its sound at once, and its generation. */
  interrupt(): void {
    const isGenerated = this.#response !== null;
    this.#stopSound();
    if (isGenerated && this.#response !== AWAITED) this.#send({ type: 'response.cancel' });
  }

  end(): void {
    this.#close(null);
  }

  async #openMicrophone(): Promise<void> {
    this.#microphone = await openMicrophone({
      onSound: (samples) => {
        if (this.#state.phase === 'open') this.#send({ type: 'input_audio_buffer.append', audio: base64Of(samples) });
      },
      onEnd: () => {
        this.#set({ hasMicrophone: false, warning: microphoneRefused({ name: 'NotFoundError' }).message });
      },
    });
    // It was ended while the browser asked for the permission.
    if (this.#isClosed) this.#microphone.close();
    else this.#set({ hasMicrophone: true });
  }

  async #openSocket(): Promise<void> {
    // Browsers hide the refusal of a handshake from the page, so the page checks before.
    const [balance, secret] = await Promise.all([
      answerOf(api.GET('/platform/v1/billing/balance')),
      sendJson<{ value: string }>('/v1/realtime/client_secrets', secretBody(this.#order)),
    ]);
    if (balance.available_usd <= 0) throw balanceEmpty();
    if (this.#isClosed) return;
    const { mode, model } = this.#order;
    const [name, value] = mode === 'conversation' ? ['model', model] : ['intent', 'transcription'];
    const url = `${location.origin.replace(/^http/, 'ws')}/textapi/v1/realtime?${new URLSearchParams({ [name]: value })}`;
    const socket = new WebSocket(url, ['realtime', `openai-insecure-api-key.${secret.value}`]);
    this.#socket = socket;
    this.#pulse = new Pulse({
      ask: () => this.#send({ type: 'session.update', session: unchanged(this.#order) }),
      onLost: () => this.#close(serviceSilent()),
    });
    socket.addEventListener('message', ({ data }) => {
      if (!this.#isClosed) this.#pulse?.heard();
      this.#take(JSON.parse(String(data)) as RealtimeEvent);
    });
    socket.addEventListener('close', ({ code }) => this.#onClosed(code));
  }

  #take(event: RealtimeEvent): void {
    const entries = withEvent(this.#state.entries, event);
    if (entries !== this.#state.entries) this.#set({ entries });
    switch (event.type) {
      case 'session.created':
        this.configure(this.#order);
        return this.#set({ phase: 'open', requestId: event.session.id.replace('sess_', 'req_') });
      case 'input_audio_buffer.speech_started':
        // The service stops its response by itself.
        this.#stopSound();
        return this.#set({ isHearing: true, isThinking: false });
      case 'input_audio_buffer.speech_stopped':
        return this.#onSpeechStopped();
      case 'conversation.item.input_audio_transcription.failed':
        if (this.#response === AWAITED) this.#response = null;
        return this.#set({ isThinking: false });
      case 'conversation.item.truncated':
        // The transcript of the speech, as the model sees it from now on.
        return this.#send({ type: 'conversation.item.retrieve', item_id: event.item_id });
      case 'response.created':
        this.#response = event.response.id;
        return this.#set({ isThinking: true });
      case 'response.output_text.delta':
        return this.#set({ isThinking: false });
      case 'response.output_audio.delta':
        if (this.#silenced.has(event.response_id)) return undefined;
        this.#speaker?.play(event.item_id, event.delta);
        return this.#set({ isThinking: false });
      case 'response.done':
        return this.#onResponse(event.response);
      case 'error':
        this.#said = event.error;
        return this.#set({ warning: event.error.message });
      case 'conversation.item.added':
      case 'conversation.item.done':
      case 'conversation.item.retrieved':
      case 'conversation.item.input_audio_transcription.delta':
      case 'conversation.item.input_audio_transcription.completed':
      case 'response.output_audio_transcript.delta':
        return undefined;
      default:
        return event satisfies never;
    }
  }

  #onSpeechStopped(): void {
    const isAnswered = this.#order.mode === 'conversation';
    if (isAnswered) this.#response ??= AWAITED;
    this.#set({ isHearing: false, isThinking: isAnswered });
  }

  #onResponse({ status, status_details: details, output, usage }: RealtimeResponse): void {
    this.#response = null;
    const warning = status === 'failed' ? (details?.error?.message ?? 'The answer failed.') : null;
    this.#set({ isThinking: false, answersUsd: this.#state.answersUsd + (usage?.cost ?? 0), warning });
    const calls = status === 'completed' ? output.filter(({ type }) => type === 'function_call') : [];
    for (const { call_id, name = '', arguments: given = '' } of calls) {
      const item = { type: 'function_call_output', call_id, output: answerCall(name, given) };
      this.#send({ type: 'conversation.item.create', item });
    }
    if (calls.length > 0 || this.#isResponseDue) this.#respond();
  }

  #respond(): void {
    this.#isResponseDue = this.#response !== null;
    if (this.#isResponseDue) return;
    this.#response = AWAITED;
    this.#set({ isThinking: true });
    this.#send({ type: 'response.create' });
  }

  /** Stops the sound, and removes the unheard part from the conversation. */
  #stopSound(): void {
    if (this.#response !== null) this.#silenced.add(this.#response);
    for (const { itemId, heardMs } of this.#speaker?.stop() ?? [])
      this.#send({ type: 'conversation.item.truncate', item_id: itemId, content_index: 0, audio_end_ms: heardMs });
  }

  #onClosed(code: number): void {
    this.#close(this.#state.phase === 'open' ? socketClosed(code, this.#said) : socketRefused());
  }

  #close(failure: VoiceFailure | null): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const phase = this.#state.phase === 'open' ? 'ended' : 'idle';
    this.#set({ ...QUIET, phase, failure });
    this.#pulse?.stop();
    this.#microphone?.close();
    this.#speaker?.close();
    this.#socket?.close(1_000);
  }

  #send(event: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(event));
  }

  #set(change: Partial<VoiceState>): void {
    const isSame = Object.entries(change).every(([name, value]) => this.#state[name as keyof VoiceState] === value);
    if (isSame) return;
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

const QUIET = { isHearing: false, isThinking: false, isSpeaking: false, isMuted: false, hasMicrophone: false };
