import type { components } from '../api/openapi.d.ts';
import { linkPath } from '../api/client.ts';
import { capitalised } from '../parts/capitalised.ts';

export type Voice = components['schemas']['VoiceList']['voices'][number];
export type Speech = components['schemas']['SpeechHistory']['history'][number];

/** Where a voice can be heard for free: a preset's preview, or the first sample of a cloned one. */
export function soundOf({ voice_id: id, preview_url: preview, samples }: Voice): string | undefined {
  if (preview !== null) return new URL(preview).pathname;
  const sample = samples?.[0];
  return sample && linkPath(`/voiceapi/v1/voices/${id}/samples/${sample.sample_id}/audio`);
}

/** Its labels in words: `American · Middle aged · Conversational`. */
export function labelsOf({ labels }: Voice): string {
  return Object.entries(labels)
    .filter(([name]) => name !== 'language')
    .map(([, text]) => capitalised(text.replaceAll('_', ' ')))
    .join(' · ');
}
