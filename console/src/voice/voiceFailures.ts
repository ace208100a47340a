import { ApiFailure, sentenceOf } from '../api/failure.ts';

/** Why a conversation did not begin, or ended, and the remedy. */
export class VoiceFailure extends Error {
  /** `microphone`: typing works without it; `balance`: a top-up helps; `other`: starting again may help. */
  readonly remedy: 'microphone' | 'balance' | 'other';
  readonly title: string;

  constructor({ remedy, title, message }: { remedy: VoiceFailure['remedy']; title: string; message: string }) {
    super(message);
    this.name = 'VoiceFailure';
    this.remedy = remedy;
    this.title = title;
  }
}

const MICROPHONE: Record<string, { title: string; message: string }> = {
  NotAllowedError: {
    title: 'The microphone is blocked',
    message: 'Allow it for this page in the browser’s address bar, then start again; or type instead.',
  },
  NotFoundError: {
    title: 'There is no microphone',
    message: 'Connect one, then start again; or type instead.',
  },
  NotReadableError: {
    title: 'The microphone is in use',
    message: 'Close the other program that uses it, then start again; or type instead.',
  },
};

/** A refusal of the microphone, by the browser's own error. */
export function microphoneRefused(error: unknown): VoiceFailure {
  if (!globalThis.isSecureContext)
    return new VoiceFailure({
      remedy: 'microphone',
      title: 'The microphone needs https',
      message: 'Browsers give it only to pages on https or on localhost. Open the console there, or type instead.',
    });
  const known = MICROPHONE[(error as Error).name];
  return new VoiceFailure({
    remedy: 'microphone',
    title: known?.title ?? 'The microphone could not be used',
    message: known?.message ?? `${(error as Error).message || 'The browser gives no reason'}. Type instead.`,
  });
}

export const balanceEmpty = (message = 'The balance of this workspace is empty. Top it up, then start again.') =>
  new VoiceFailure({ remedy: 'balance', title: 'The balance is empty', message });

const CLOSED: Record<number, string> = {
  1001: 'The service restarts. Start again in a moment.',
  1006: 'The connection was lost. Check your network, then start again.',
  1008: 'The service refused to go on. Start again.',
  1011: 'The service failed. Start again; if it fails again, the status page says why.',
  1013: 'The service is busy. Start again in a moment.',
};

/** The socket was closed by the service or the network; `said` is the preceding error, if any. */
export function socketClosed(code: number, said: { code: string; message: string } | null): VoiceFailure {
  if (said?.code === 'insufficient_balance') return balanceEmpty(said.message);
  if (said?.code === 'session_expired')
    return new VoiceFailure({ remedy: 'other', title: 'The conversation reached its end', message: said.message });
  return new VoiceFailure({
    remedy: 'other',
    title: 'The conversation was closed',
    message: said?.message ?? CLOSED[code] ?? `The connection closed with code ${code}. Start again.`,
  });
}

/** The socket did not open: a browser does not say why. */
export const socketRefused = () =>
  new VoiceFailure({
    remedy: 'other',
    title: 'The conversation could not start',
    message: 'The connection was refused or lost. Too many may be open at once: wait a moment, then start again.',
  });

/** Nothing arrived for a while, and nothing closed the socket. */
export const serviceSilent = () =>
  new VoiceFailure({
    remedy: 'other',
    title: 'The connection was lost',
    message: 'The service has not answered for a while. Check your network, then start again.',
  });

/** Any error at the start of a conversation. */
export function failureAtStart(error: unknown): VoiceFailure {
  if (error instanceof VoiceFailure) return error;
  if (error instanceof ApiFailure && error.status === 402) return balanceEmpty(error.message);
  return new VoiceFailure({ remedy: 'other', title: 'The conversation could not start', message: sentenceOf(error) });
}
