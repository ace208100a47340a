import type { Model } from '../../db/catalog.ts';
import type { Context } from '../context.ts';
import { modelNotFound } from '../errors/requestErrors.ts';
import type { Services } from '../services.ts';
import type { CallerVoice } from './callerVoice.ts';

/**
 * The catalogue's model for a name of either vendor's, or of ours. Without a name: the first one of its kind. Throws 404
 * `model_not_found`, whose message names the nearest.
 */
export function resolveVoiceModel(
  ctx: Context,
  { catalog }: Services,
  { name, kind, param = 'model' }: { name: string | undefined; kind: Model['kind']; param?: string },
): Model {
  const model =
    name === undefined ? catalog.models.find((other) => other.kind === kind) : catalog.findOfKind(name, kind);
  if (!model) throw modelNotFound(name ?? kind, catalog.nearest(name ?? kind, kind), param);
  ctx.state.log.model = model.id;
  return model;
}

/** A name of a speech model means the model for preset voices or the one for cloned voices, by the voice that is to speak. */
export function resolveSpeechModel(
  ctx: Context,
  services: Services,
  { name, voice, param }: { name: string | undefined; voice: CallerVoice; param?: string },
): Model {
  const named = resolveVoiceModel(ctx, services, { name, kind: 'speech', param });
  const voices = voice.category === 'cloned' ? 'cloned' : 'preset';
  const fitting =
    named.voices === undefined || named.voices === voices
      ? named
      : (services.catalog.models.find((other) => other.kind === 'speech' && other.voices === voices) ?? named);
  ctx.state.log.model = fitting.id;
  return fitting;
}

/** Ids of the models that sound was made with under a name: a vendor's name of a speech model means those for preset and for cloned voices. */
export function soundModelIds({ find, models }: Services['catalog'], name: string): string[] {
  const named = find(name);
  if (!named || named.id === name || named.kind !== 'speech' || named.voices === undefined) return [named?.id ?? name];
  return models.filter(({ kind, voices }) => kind === 'speech' && voices !== undefined).map(({ id }) => id);
}
