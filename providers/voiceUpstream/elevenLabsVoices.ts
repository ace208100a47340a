import type { FormData } from 'undici';
import { ProviderError } from '../provider.ts';
import type { CloningProvider, VoiceOrder } from '../speech.ts';
import { createForm } from '../undici.ts';
import { jsonOf, type AudioCalls } from './audioCalls.ts';

const NOT_FOUND = 404;

/** The voices of an ElevenLabs-compatible upstream. A disconnect does not end its calls: the voice would be lost at the upstream. */
export function createElevenLabsVoices(calls: AudioCalls): CloningProvider {
  const send = (path: string, order: VoiceOrder) =>
    jsonOf(calls.post(`v1/voices/${path}`, formOf(order), never())).catch((error: unknown) => {
      throw ownFaultOf(error);
    });
  return {
    addVoice: async (order) => {
      const { voice_id: id } = await send('add', order);
      if (typeof id !== 'string' || id === '')
        throw new ProviderError('failed', 'the upstream made a voice without an id');
      return id;
    },
    editVoice: async (id, order) => void (await send(`${encodeURIComponent(id)}/edit`, order)),
    removeVoice: async (id) => {
      try {
        await jsonOf(calls.remove(`v1/voices/${encodeURIComponent(id)}`, never()));
      } catch (error) {
        if (!(error instanceof ProviderError) || error.status !== NOT_FOUND) throw error;
      }
    },
  };
}

const never = () => new AbortController().signal;

function formOf({ name, description, labels, removeNoise, samples }: VoiceOrder): FormData {
  const form = createForm();
  form.set('name', name);
  if (description) form.set('description', description);
  if (labels) form.set('labels', JSON.stringify(labels));
  if (removeNoise) form.set('remove_background_noise', 'true');
  for (const { filename, content } of samples) form.append('files', content, filename);
  return form;
}

// The caller is not at fault when the platform has reached its own voice limit at the upstream.
function ownFaultOf(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error.detail?.code !== 'voice_limit_reached') return error;
  return new ProviderError('failed', 'the upstream has no room for another voice', { cause: error });
}
