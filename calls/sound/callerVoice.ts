import { isStorable } from '../../base/json.ts';
import type { Model } from '../../db/catalog/catalog.ts';
import { findVoice } from '../../db/voices/voices.ts';
import type { ClonedVoice, VoiceMeasure, VoiceSettings } from '../../providers/speech.ts';
import { findPresetVoice, presetNameOf } from '../../providers/voices.ts';
import type { Caller } from '../caller.ts';
import { modelNotFound } from '../errors/modelErrors.ts';
import type { CallServices } from '../services.ts';
import { findModel } from '../findModel.ts';

/** A voice as a caller may use it: a preset by any of its names, or one that the workspace has cloned. */
export interface CallerVoice {
  /** The name that the caller used. */
  id: string;
  name: string;
  category: 'premade' | 'cloned';
  /** The voice as passed to engines. */
  voice: string | ClonedVoice;
  /** Its default settings. */
  settings: (VoiceSettings & { speed?: number }) | null;
}

/** The voice with this id or name, or undefined when it is unknown, removed or of another workspace. */
export async function findCallerVoice(
  { db }: Pick<CallServices, 'db'>,
  workspaceId: string,
  id: string,
): Promise<CallerVoice | undefined> {
  const preset = findPresetVoice(id);
  // The requested name is kept, because an upstream of that vendor has a voice of that name.
  if (preset) return { id, name: presetNameOf(preset, id), category: 'premade', voice: id, settings: null };
  const cloned = isStorable(id) ? await findVoice(db.read(workspaceId), id) : undefined;
  if (!cloned) return undefined;
  return {
    id: cloned.id,
    name: cloned.name,
    category: 'cloned',
    voice: { ...(cloned.measure as VoiceMeasure), upstreamIds: cloned.upstreamIds },
    settings: cloned.settings ?? null,
  };
}

/**
 * The catalogue's model for a vendor's name or our own; the first model of its kind without a name. Throws 404 `model_not_found`, whose
 * message names the closest model.
 */
export function resolveVoiceModel(
  caller: Pick<Caller, 'log' | 'startedAtMs'>,
  services: Pick<CallServices, 'catalog'>,
  { name, kind, param = 'model' }: { name: string | undefined; kind: Model['kind']; param?: string },
): Model {
  if (name !== undefined) return findModel(caller, services, name, kind, param);
  const catalog = services.catalog.at(caller.startedAtMs);
  const model = catalog.models.find((other) => other.kind === kind);
  if (!model) throw modelNotFound(kind, catalog.nearest(kind, kind), param);
  caller.log.model = model.id;
  return model;
}

/** A vendor's name of a speech model means the model for preset voices or the one for cloned voices, depending on the voice. */
export function resolveSpeechModel(
  caller: Pick<Caller, 'log' | 'startedAtMs'>,
  services: Pick<CallServices, 'catalog'>,
  { name, voice, param }: { name: string | undefined; voice: CallerVoice; param?: string },
): Model {
  const named = resolveVoiceModel(caller, services, { name, kind: 'speech', param });
  const voices = voice.category === 'cloned' ? 'cloned' : 'preset';
  const speaks = (other: Model) => other.kind === 'speech' && other.voices === voices;
  const fitting =
    named.voices === undefined || named.voices === voices
      ? named
      : (services.catalog.at(caller.startedAtMs).models.find(speaks) ?? named);
  caller.log.model = fitting.id;
  return fitting;
}

/** Ids of the models that a name may mean: a vendor's name of a speech model means those for preset and for cloned voices. */
export function soundModelIds({ find, models }: CallServices['catalog'], name: string): string[] {
  const named = find(name);
  if (!named || named.id === name || named.kind !== 'speech' || named.voices === undefined) return [named?.id ?? name];
  return models.filter(({ kind, voices }) => kind === 'speech' && voices !== undefined).map(({ id }) => id);
}

type SentSettings = { [Name in keyof VoiceSettings]?: VoiceSettings[Name] | null } & { speed?: number | null };

/** The request's voice settings over those of the voice. A null member counts as not sent. */
export function voiceSettingsOf(
  voice: CallerVoice,
  sent?: SentSettings,
): { settings: VoiceSettings | undefined; speed: number | undefined } {
  const settled = Object.entries({ ...voice.settings, ...sent }).filter(([, value]) => value !== null);
  const { speed, ...settings } = Object.fromEntries(settled) as VoiceSettings & { speed?: number };
  return { settings: Object.keys(settings).length > 0 ? settings : undefined, speed };
}
