import type { CloningProvider, VoiceOrder } from './speech.ts';
import type { ServedModel, UpstreamCatalog } from './upstreamOptions.ts';

export interface VoiceCatalog extends UpstreamCatalog {
  readonly models: (ServedModel & { kind: string; voices?: 'preset' | 'cloned' })[];
}

/** Upstreams with an address that clone voices for the models that use cloned voices. */
export function cloningUpstreams({ upstreams, models }: VoiceCatalog): string[] {
  const speaking = models.filter(
    ({ kind, voices }) => kind === 'conversion' || (kind === 'speech' && voices !== 'preset'),
  );
  const names = new Set(speaking.flatMap((model) => model.upstreams.map(({ upstream }) => upstream)));
  return [...names].filter((name) => {
    const { protocol, baseUrl } = upstreams.get(name)!;
    return protocol === 'elevenlabs' && baseUrl !== '';
  });
}

/** Manages a voice at several upstreams, by its id at each of them. */
export function createCloning(namesNow: () => string[], engineOf: (name: string) => CloningProvider) {
  async function remove(ids: Record<string, string>): Promise<void> {
    const names = namesNow();
    for (const [name, id] of Object.entries(ids)) if (names.includes(name)) await engineOf(name).removeVoice(id);
  }

  return {
    /**
     * Creates a voice at each upstream; resolves to its ids by upstream. When one upstream fails, the voice is removed from the others.
     */
    add: async (order: VoiceOrder): Promise<Record<string, string>> => {
      const ids: Record<string, string> = {};
      try {
        for (const name of namesNow()) ids[name] = await engineOf(name).addVoice(order);
      } catch (error) {
        await remove(ids).catch(() => undefined);
        throw error;
      }
      return ids;
    },
    edit: async (ids: Record<string, string>, order: VoiceOrder): Promise<void> => {
      const names = namesNow();
      for (const [name, id] of Object.entries(ids)) if (names.includes(name)) await engineOf(name).editVoice(id, order);
    },
    remove,
  };
}
