import { z } from 'zod';
import {
  changeVoice,
  deleteVoice as removeVoice,
  findVoice,
  listVoices as readVoices,
  type VoiceSample,
} from '../../db/voices/voices.ts';
import { findPresetVoice, presetVoices } from '../../providers/voices.ts';
import type { Context, Handler } from '../context.ts';
import { voiceNotFound } from '../errors.ts';
import type { Services } from '../services.ts';
import { presentPreset, presentVoice, type ShownVoice } from './presentVoice.ts';
import { refused, type VoiceSettingsBody } from './schema.ts';
import { dropSamples } from './voiceSamples.ts';
import { DEFAULT_SETTINGS } from './voiceSettings.ts';

export const VoiceSearchQuery = z.object({
  page_size: z.coerce.number().int().min(1).max(100).default(10),
  next_page_token: z.string().max(500).optional(),
  search: z.string().max(500).optional(),
  category: z.enum(['premade', 'cloned', 'generated', 'professional', 'famous', 'high_quality']).optional(),
  voice_ids: z.union([z.string(), z.array(z.string())]).optional(),
  sort: z.enum(['created_at_unix', 'name']).optional(),
  sort_direction: z.enum(['asc', 'desc']).default('asc'),
  include_total_count: z.enum(['true', 'false']).default('true'),
});

/** `GET /v1/voices`: the presets, then the workspace's own. */
export function listVoices(services: Services): Handler {
  return async (ctx) => {
    ctx.body = { voices: await allVoices(ctx, services) };
  };
}

/** `GET /v2/voices`: those that fit, a page at a time. */
export function searchVoices(services: Services): Handler {
  return async (ctx) => {
    const query = ctx.state.input as z.output<typeof VoiceSearchQuery>;
    const found = sorted(
      (await allVoices(ctx, services)).filter((voice) => fits(voice, query)),
      query,
    );
    const from = found.findIndex(({ voice_id: id }) => id === query.next_page_token) + 1;
    const page = found.slice(from, from + query.page_size);
    const hasMore = from + page.length < found.length;
    ctx.body = {
      voices: page,
      has_more: hasMore,
      total_count: query.include_total_count === 'true' ? found.length : 0,
      next_page_token: hasMore ? page.at(-1)!.voice_id : null,
    };
  };
}

async function allVoices(ctx: Context, { db }: Services): Promise<ShownVoice[]> {
  const own = await readVoices(db.orm, ctx.state.key.workspaceId);
  return [...presetVoices.map(presentPreset), ...own.map(presentVoice)];
}

function fits(voice: ShownVoice, { search, category, voice_ids: ids }: z.output<typeof VoiceSearchQuery>): boolean {
  if (category !== undefined && voice.category !== category) return false;
  if (ids !== undefined && ![ids].flat().includes(voice.voice_id)) return false;
  const words = [voice.name, voice.description ?? '', ...Object.values(voice.labels)].join(' ').toLowerCase();
  return search === undefined || words.includes(search.toLowerCase());
}

function sorted(voices: ShownVoice[], { sort, sort_direction: direction }: z.output<typeof VoiceSearchQuery>) {
  const order = direction === 'asc' ? 1 : -1;
  if (sort === 'name') return voices.toSorted((one, other) => order * one.name.localeCompare(other.name));
  if (sort === undefined) return voices;
  return voices.toSorted((one, other) => order * ((one.created_at_unix ?? 0) - (other.created_at_unix ?? 0)));
}

/** `GET /v1/voices/{voice_id}`. */
export function retrieveVoice(services: Services): Handler {
  return async (ctx) => {
    ctx.body = await shownVoice(ctx, services);
  };
}

async function shownVoice(ctx: Context, { db }: Services): Promise<ShownVoice> {
  const id = ctx.state.params.voice_id!;
  const preset = findPresetVoice(id);
  if (preset) return presentPreset(preset);
  const row = await findVoice(db.orm, ctx.state.key.workspaceId, id);
  if (!row) throw voiceNotFound(id);
  return presentVoice(row);
}

/** `DELETE /v1/voices/{voice_id}`: its samples go too; what was spoken with it stays in the history. */
export function deleteVoice(services: Services): Handler {
  return async (ctx) => {
    const id = ctx.state.params.voice_id!;
    refusePreset(id);
    const { workspaceId } = ctx.state.key;
    const row = await findVoice(services.db.orm, workspaceId, id);
    if (!row) throw voiceNotFound(id);
    // The upstreams first: when one is away the voice is still here, to be removed again.
    await services.voiceProviders.cloning.remove(row.upstreamIds as Record<string, string>);
    if (!(await removeVoice(services.db.pool, workspaceId, id))) throw voiceNotFound(id);
    await dropSamples(services.db.pool, workspaceId, row.samples as VoiceSample[]);
    ctx.body = { status: 'ok' };
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

/** `POST /v1/voices/{voice_id}/settings/edit`: how a cloned voice speaks from now on. */
export function changeVoiceSettings(services: Services): Handler {
  return async (ctx) => {
    const id = ctx.state.params.voice_id!;
    refusePreset(id);
    const settings = ctx.state.input as z.output<typeof VoiceSettingsBody>;
    const { workspaceId } = ctx.state.key;
    if (!(await changeVoice(services.db.pool, { workspaceId, id, change: { settings } }))) throw voiceNotFound(id);
    ctx.body = { status: 'ok' };
  };
}

/** A preset is everybody's: nobody changes or removes it. */
export function refusePreset(id: string): void {
  if (findPresetVoice(id)) throw refused('voice_id', 'A premade voice can be neither changed nor removed.');
}
