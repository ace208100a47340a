import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';

// Names used by OpenAI's clients, which every installation maps to its own.
const VOICES = ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer'];

/** The selectable voices: every installation's presets, and the workspace's own. */
export function useVoices(): { value: string; label: string }[] {
  const { data } = useAnswer(['voices'], (signal) => api.GET('/voiceapi/v1/voices', { signal }), { staleTime: 60_000 });
  const { voices = [] } = (data ?? {}) as { voices?: { voice_id: string; name?: string; category?: string }[] };
  const presets = voices.filter(({ category, voice_id: id }) => category === 'premade' && !VOICES.includes(id));
  const cloned = voices.filter(({ category }) => category === 'cloned');
  return [
    ...[...VOICES, ...presets.map(({ voice_id: id }) => id)].map((name) => ({ value: name, label: name })),
    ...cloned.map(({ voice_id: id, name }) => ({ value: id, label: name ?? id })),
  ];
}
