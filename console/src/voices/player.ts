import { useSyncExternalStore } from 'react';
import { showFailure } from '../api/hooks.ts';

/** One sound plays at a time on the whole page. */
let audio: HTMLAudioElement | undefined;
let state: { id: string | null; isLoading: boolean } = { id: null, isLoading: false };
const listeners = new Set<() => void>();

function set(next: typeof state): void {
  state = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const stopped = () => set({ id: null, isLoading: false });

/** Plays a sound, or stops it where it plays already. */
function toggle(id: string, src: string): void {
  if (state.id === id) return stop();
  audio ??= opened();
  audio.src = src;
  set({ id, isLoading: true });
  audio.play().catch((error: unknown) => {
    // Another sound was begun in between.
    if (state.id !== id || (error as Error).name === 'AbortError') return;
    stopped();
    showFailure(new Error('This sound could not be played. Try again.'));
  });
}

function opened(): HTMLAudioElement {
  const made = new Audio();
  made.addEventListener('ended', stopped);
  made.addEventListener('playing', () => set({ ...state, isLoading: false }));
  return made;
}

/** Stops what plays: also when its page is left. */
export function stop(): void {
  audio?.pause();
  stopped();
}

/** The player of one sound. */
export function usePlayer(id: string, src: string) {
  const current = useSyncExternalStore(subscribe, () => state);
  const isCurrent = current.id === id;
  return { isPlaying: isCurrent, isLoading: isCurrent && current.isLoading, toggle: () => toggle(id, src) };
}
