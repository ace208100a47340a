import type { EmbeddedVoiceConfig } from '../providers/config.ts';
import type { ThirdParty } from '../providers/localEngines.ts';
import { findEngine } from './fetching/engine.ts';
import { engines, whisper } from './fetching/engineList.ts';
import { POCKETSPHINX_VERSION } from './transcription/pocketsphinx.ts';

/**
 * The components of the embedded engines: those shipped with the service's packages, and those fetched once. `THIRD_PARTY.md` lists the
 * same.
 */
export const thirdParties: readonly ThirdParty[] = [
  { name: 'Flite and its voices', version: '2.2', licence: 'BSD-4-Clause (CMU)', by: 'Carnegie Mellon University' },
  { name: 'PocketSphinx', version: POCKETSPHINX_VERSION, licence: 'BSD-2-Clause', by: 'Carnegie Mellon University' },
  {
    name: 'SmolLM2-135M-Instruct',
    version: 'Q4_1',
    licence: 'Apache-2.0',
    by: 'Hugging Face; converted by QuantFactory',
  },
  ...engines.flatMap(({ parts }) => parts.map(({ name, version, licence, by }) => ({ name, version, licence, by }))),
];

/**
 * The embedded engine that currently does a kind of work on this machine: a neural one once it has been fetched, otherwise the basic one.
 */
export function embeddedEngineOf(
  kind: 'transcription' | 'conversion',
  { isNeural, dataDir }: Pick<EmbeddedVoiceConfig, 'isNeural' | 'dataDir'>,
): string {
  if (kind === 'transcription') return isNeural && findEngine(dataDir, whisper) ? 'whisper-tiny.en' : 'pocketsphinx';
  return 'signal-processing';
}
