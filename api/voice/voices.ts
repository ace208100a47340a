import type { z } from 'zod';
import { changeVoice, removeVoice, findVoice, readVoices } from '../../db/voices/voices.ts';
import { findPresetVoice, presetVoices, type PresetVoice } from '../../providers/voices.ts';
import type { Context, Handler } from '../context.ts';
import { voiceNotFound, presentPreset, presentVoice, type ShownVoice, DEFAULT_SETTINGS } from './presentVoice.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import type { Services } from '../services.ts';
import type { VoiceSettingsBody } from './voiceSchema.ts';
import { dropSamples } from './voiceSamples.ts';
import type { Done, VoiceList } from './voiceAnswers.ts';

/** `GET /v1/voices`: the presets, then the workspace's own. */
export function listVoices(services: Services): Handler {
  return async (ctx) => {
    ctx.body = { voices: await allVoices(ctx, services) } satisfies z.infer<typeof VoiceList>;
  };
}

/**
 * All voices that the caller may use: the presets, then the workspace's own. A preset found by a vendor's name instead of its own is shown
 * under that name.
 */
export async function allVoices(ctx: Context, services: Services, search = ''): Promise<ShownVoice[]> {
  const own = await readVoices(services.db.read(ctx.state.key.workspaceId));
  return [
    ...presetVoices.map((preset) => presentPreset(preset, services, foundAs(preset, search))),
    ...own.map(presentVoice),
  ];
}

function foundAs(preset: PresetVoice, search: string): string {
  const said = search.trim().toLowerCase();
  const isFound = (name: string) => said !== '' && name.toLowerCase().includes(said);
  if (isFound(preset.name)) return preset.id;
  return Object.entries(preset.elevenlabs).find((names) => names.some(isFound))?.[0] ?? preset.id;
}

/** The voices of these OpenAI or ElevenLabs ids, each under the requested id. Unknown ids are omitted. */
export async function voicesOfIds(ctx: Context, services: Services, ids: readonly string[]): Promise<ShownVoice[]> {
  const own = new Map((await readVoices(services.db.read(ctx.state.key.workspaceId))).map((row) => [row.id, row]));
  const shown = [...new Set(ids)].map((id): ShownVoice | undefined => {
    const preset = findPresetVoice(id);
    if (preset) return presentPreset(preset, services, id);
    const row = own.get(id);
    return row && presentVoice(row);
  });
  return shown.filter((voice) => voice !== undefined);
}

/** `GET /v1/voices/{voice_id}`. */
export function retrieveVoice(services: Services): Handler {
  return async (ctx) => {
    ctx.body = await shownVoice(ctx, services);
  };
}

async function shownVoice(ctx: Context, services: Services): Promise<ShownVoice> {
  const id = ctx.state.params.voice_id!;
  const preset = findPresetVoice(id);
  if (preset) return presentPreset(preset, services, id);
  const row = await findVoice(services.db.read(ctx.state.key.workspaceId), id);
  if (!row) throw voiceNotFound(id);
  return presentVoice(row);
}

/** `DELETE /v1/voices/{voice_id}`: also deletes its samples. Its speech stays in the history. */
export function deleteVoice(services: Services): Handler {
  return async (ctx) => {
    const id = ctx.state.params.voice_id!;
    refusePreset(id);
    const { workspaceId } = ctx.state.key;
    const row = await findVoice(services.db.read(workspaceId), id);
    if (!row) throw voiceNotFound(id);
    // Upstreams first: if one is down the voice stays here, so that its deletion can be retried.
    await services.voiceProviders.cloning.remove(row.upstreamIds);
    const samples = await removeVoice(services.db.write(workspaceId), id);
    if (!samples) throw voiceNotFound(id);
    await dropSamples(services.db.write(workspaceId), samples);
    ctx.body = { status: 'ok' } satisfies z.infer<typeof Done>;
  };
}

/** `GET /v1/voices/settings/default`. */
export const defaultVoiceSettings: Handler = (ctx) => {
  ctx.body = DEFAULT_SETTINGS;
};

/** `GET /v1/voices/{voice_id}/settings`. */
export function retrieveVoiceSettings(services: Services): Handler {
  return async (ctx) => {
    ctx.body = (await shownVoice(ctx, services)).settings;
  };
}

/** `POST /v1/voices/{voice_id}/settings/edit`: changes the given settings of a cloned voice; null or omitted ones stay. */
export function changeVoiceSettings(services: Services): Handler<z.output<typeof VoiceSettingsBody>> {
  return async (ctx) => {
    const id = ctx.state.params.voice_id!;
    refusePreset(id);
    const settings = Object.fromEntries(Object.entries(ctx.state.input).filter(([, value]) => value !== null));
    const { workspaceId } = ctx.state.key;
    const outcome = await changeVoice(services.db.write(workspaceId), { id, change: { settings } });
    if (outcome === 'not_found') throw voiceNotFound(id);
    ctx.body = { status: 'ok' } satisfies z.infer<typeof Done>;
  };
}

/** Presets are shared by all workspaces, so they cannot be changed or removed. */
export function refusePreset(id: string): void {
  const msg = 'A premade voice can be neither changed nor removed.';
  if (findPresetVoice(id)) throw validationErrorAt(['path', 'voice_id'], msg);
}
