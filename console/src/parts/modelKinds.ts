import type { components } from '../api/openapi.d.ts';

type Kind = components['schemas']['Model']['kind'];

/** What people call the kinds of models, in the order of their chips. An agent is none. */
const NAMES: Record<Exclude<Kind, 'agent'>, string> = {
  text: 'Text',
  embedding: 'Embeddings',
  speech: 'Speech',
  transcription: 'Transcription',
  realtime: 'Realtime',
  conversion: 'Voice conversion',
};

export const MODEL_KINDS = Object.entries(NAMES).map(([value, label]) => ({
  value: value as keyof typeof NAMES,
  label,
}));

export const kindName = (kind: Kind): string => (kind === 'agent' ? 'Agent' : NAMES[kind]);
