import { presetVoices } from '../../../../providers/voices.ts';
import { describeWithRecogniser, sentences, testVoices } from './spokenStage.ts';

// All twenty sentences take more than three minutes: SENTENCES=20 asks for them, and the same limits hold.
const count = Number(process.env.SENTENCES ?? 7);

describeWithRecogniser('what each voice says is understood again', () => {
  testVoices(
    presetVoices.map(({ id }) => id),
    sentences.slice(0, count),
  );
});
