import type { EmbeddedVoiceConfig } from '../providers/config.ts';
import type { LocalEngines, LocalVoices } from '../providers/localEngines.ts';
import { createNeuralVoices } from './neuralVoice/neuralVoices.ts';
import { createEmbeddedConversion } from './speech/embeddedConversion.ts';
import { createEmbeddedSpeech } from './speech/embeddedSpeech.ts';
import { embeddedParameters } from './supportedParameters.ts';
import { embeddedEngineOf, thirdParties } from './thirdParty.ts';
import { createEmbeddedTranscription } from './transcription/embeddedTranscription.ts';
import { openVoiceActivity } from './voiceActivity/voiceActivity.ts';

/** The audio engines, which run in the process that takes the calls. Text models have their own program: `main.ts`. */
export const localEngines: LocalEngines = { thirdParties, engineOf: embeddedEngineOf, openVoiceActivity, openVoices };

function openVoices(config: EmbeddedVoiceConfig, report?: (text: string) => void): LocalVoices {
  const neural = createNeuralVoices({ ...config, report });
  const { speechThreads: threads, speechCallsMax: callsMax } = config;
  const { convert } = createEmbeddedConversion();
  return {
    parameters: embeddedParameters,
    open() {
      const speech = createEmbeddedSpeech({ threads, callsMax, neural });
      const hearing = createEmbeddedTranscription({
        dataDir: config.dataDir,
        isNeural: config.isNeural,
        processes: config.transcriptionProcesses,
        waitingMax: config.transcriptionQueueMax,
      });
      const close = async () => void (await Promise.all([speech.close(), hearing.close()]));
      const { transcribe, takesPrompt, prepare } = hearing;
      return { speak: speech.speak, transcribe, takesPrompt, prepare, convert, close };
    },
    openBasic() {
      const basic = createNeuralVoices({ dataDir: config.dataDir, isNeural: false, voices: 'flite' });
      const { speak, close } = createEmbeddedSpeech({ threads, callsMax, neural: basic });
      return { speak, convert, close };
    },
    engineOf: (model, preset) => neural.engineOf(model, preset),
    preload: () => neural.preload(),
    close: () => neural.close(),
  };
}
