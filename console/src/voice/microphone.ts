import type { Piece } from './microphoneWorklet.ts';
import { microphoneRefused } from './voiceFailures.ts';

// Sent after muting, so that the service detects the end of a sentence.
const SILENCE_PIECES = 20;

/** The user's microphone while a conversation runs. */
export interface Microphone {
  /** How loud it is now, from 0 to 1. */
  level: () => number;
  /** A muted microphone sends a second of silence, then nothing. */
  mute: (isMuted: boolean) => void;
  close: () => void;
}

/**
 * Opens the microphone. `onSound` gets 16-bit samples at 24 kHz, whatever the device records; `onEnd` is called when the device is gone.
 * Throws a `VoiceFailure` if the browser or the person refuses.
 */
export async function openMicrophone({
  onSound,
  onEnd,
}: {
  onSound: (samples: Int16Array<ArrayBuffer>) => void;
  onEnd: () => void;
}): Promise<Microphone> {
  const stream = await streamOf();
  const context = new AudioContext();
  let level = 0;
  let isMuted = false;
  let silencePieces = 0;
  const [track] = stream.getAudioTracks();
  const close = () => {
    for (const one of stream.getTracks()) one.stop();
    if (context.state !== 'closed') void context.close();
  };
  try {
    // A separate file, because audio threads run only files.
    const { default: url } = await import('./microphoneWorklet.ts?worker&url');
    await context.audioWorklet.addModule(url);
    const recorder = new AudioWorkletNode(context, 'recorder', { channelCount: 1, channelCountMode: 'explicit' });
    recorder.port.addEventListener('message', ({ data }: MessageEvent<Piece>) => {
      level = isMuted ? 0 : data.level;
      if (isMuted && (silencePieces -= 1) < 0) return;
      onSound(isMuted ? data.samples.fill(0) : data.samples);
    });
    recorder.port.start();
    // The recorder's own output is silence. Without a destination some browsers do not run it.
    context.createMediaStreamSource(stream).connect(recorder).connect(context.destination);
    await context.resume();
  } catch (error) {
    close();
    throw error;
  }
  track?.addEventListener('ended', onEnd);
  const mute = (muted: boolean) => {
    isMuted = muted;
    silencePieces = SILENCE_PIECES;
    if (track) track.enabled = !muted;
  };
  return { level: () => level, mute, close };
}

async function streamOf(): Promise<MediaStream> {
  const audio = { channelCount: 1, echoCancellation: true, noiseSuppression: true, autoGainControl: true };
  try {
    // Undefined on pages without TLS.
    return await navigator.mediaDevices.getUserMedia({ audio });
  } catch (error) {
    throw microphoneRefused(error);
  }
}
