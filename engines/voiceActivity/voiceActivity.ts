import { openEnergyActivity, type VoiceActivity } from '../../providers/sound/energyActivity.ts';
import { findEngine } from '../fetching/engine.ts';
import { onnxRuntime, silero } from '../fetching/engineList.ts';
import { createSileroThread, type SileroThread } from './sileroThread.ts';

let thread: (SileroThread & { model: string }) | undefined;

/**
 * Detects speech by Silero's model once it has been fetched; before that, and if it does not run, by the energy of the sound. All open
 * detectors share one thread with the model.
 */
export async function openVoiceActivity(config: { dataDir: string; isNeural: boolean }): Promise<VoiceActivity> {
  const runtime = config.isNeural && findEngine(config.dataDir, onnxRuntime);
  const model = config.isNeural && findEngine(config.dataDir, silero);
  if (!runtime || !model) return openEnergyActivity();
  if (thread?.model !== model || thread.hasEnded()) thread = { ...createSileroThread({ runtime, model }), model };
  return withFallback(thread.open());
}

/** If a stream's model fails, it continues with the energy of the sound. */
function withFallback(neural: VoiceActivity): VoiceActivity {
  let fallback: VoiceActivity | undefined;
  return {
    async probability(frame) {
      if (fallback) return fallback.probability(frame);
      try {
        return await neural.probability(frame);
      } catch {
        fallback = openEnergyActivity();
        return fallback.probability(frame);
      }
    },
    close: () => neural.close(),
  };
}
