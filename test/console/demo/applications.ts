import type { DemoKeys } from './keys.ts';
import type { Application } from './pastCalls.ts';

/** What Northwind Robotics uses the platform for: one key each. */
export const applicationsOf = (keys: DemoKeys): Application[] => [
  {
    keyId: keys.support.id,
    share: 0.42,
    models: { 'deepseek-v3.1': 5, 'qwen3-32b': 3, 'mistral-small-3.2': 1 },
    rhythm: 'people',
    streams: true,
    tokens: [9_500, 900],
  },
  { keyId: keys.search.id, share: 0.2, models: { 'ledgerline-embed-1': 1 }, rhythm: 'machines' },
  {
    keyId: keys.telephone.id,
    share: 0.1,
    models: {
      'ledgerline-speech': 5,
      'ledgerline-transcription': 4,
      'ledgerline-realtime-1': 1.5,
      'ledgerline-voice-conversion': 0.5,
    },
    rhythm: 'people',
  },
  {
    keyId: keys.reports.id,
    share: 0.13,
    models: { 'qwen3-32b': 3, 'llama-3.3-70b': 2 },
    rhythm: 2,
    product: 'batch',
    tokens: [12_000, 1_300],
  },
  {
    keyId: keys.ci.id,
    share: 0.09,
    models: { 'ledgerline-text-1': 2, 'mistral-small-3.2': 3 },
    rhythm: 'people',
    tokens: [2_400, 160],
  },
  {
    keyId: keys.dana.id,
    share: 0.06,
    models: { 'llama-3.3-70b': 3, 'deepseek-v3.1': 2, 'ledgerline-text-1': 1 },
    rhythm: 'people',
    streams: true,
    tokens: [4_000, 700],
  },
];
