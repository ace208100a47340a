import { z } from 'zod';
import type { Handler } from '../context.ts';
import type { Services } from '../services.ts';
import { queryFlag } from '../body/queryFlag.ts';
import type { ShownVoice } from './presentVoice.ts';
import { allVoices, voicesOfIds } from './voices.ts';
import type { VoicePage } from './voiceAnswers.ts';

// Premade voices count as the vendor's default voices. Community and workspace sharing do not exist here.
const PREMADE = ['premade'];
const CLONED = ['cloned'];
const CATEGORIES: Record<string, string[]> = {
  personal: CLONED,
  community: [],
  default: PREMADE,
  workspace: [],
  'non-default': CLONED,
  'non-community': [...PREMADE, ...CLONED],
  saved: CLONED,
};

const TUNING_STATES = [
  'draft',
  'not_verified',
  'not_started',
  'queued',
  'fine_tuning',
  'fine_tuned',
  'failed',
  'delayed',
] as const;

const voiceTypes = Object.keys(CATEGORIES) as [string, ...string[]];
const label = z.string().max(100).optional();
const anyLabel = z.union([z.string().max(100), z.array(z.string().max(100)).max(100)]).optional();

export const VoiceSearchQuery = z.strictObject({
  page_size: z.coerce.number().int().min(1).max(100).default(10),
  next_page_token: z.string().max(2_000).optional(),
  search: z.string().max(500).optional(),
  category: z.enum(['premade', 'cloned', 'generated', 'professional', 'famous', 'high_quality']).optional(),
  voice_type: z.enum(voiceTypes).optional(),
  voice_ids: z
    .union([z.string().max(256), z.array(z.string().max(256)).max(100)])
    .optional()
    .describe('OpenAI or ElevenLabs ids; the answer keeps the requested ids.'),
  gender: label,
  accent: label,
  age: label,
  language: anyLabel.describe('Voices with any of these values of the label `language`.'),
  use_cases: anyLabel.describe('Voices with any of these values of the label `use_case`.'),
  sort: z.enum(['created_at_unix', 'name']).optional(),
  sort_direction: z.enum(['asc', 'desc']).default('asc'),
  include_total_count: queryFlag.prefault('true'),
  collection_id: z.string().max(256).optional().describe('No voice is in a collection.'),
  fine_tuning_state: z.enum(TUNING_STATES).optional().describe('Of professional voices, which do not exist here.'),
  high_quality: queryFlag.optional().describe('`true`: voices of the category `high_quality`.'),
  include_custom_rates: queryFlag.optional().describe('No voice has rates of its own.'),
  include_live_moderated: queryFlag.optional().describe('No voice is moderated live.'),
});

type VoiceSearch = z.output<typeof VoiceSearchQuery>;

/**
 * `GET /v2/voices`: matching voices, in pages. A page starts after the previous one's position, so additions and removals do not shift it.
 */
export function searchVoices(services: Services): Handler<VoiceSearch> {
  return async (ctx) => {
    const query = ctx.state.input;
    const { workspaceId } = ctx.state.key;
    const list = `voices ${query.sort ?? ''} ${query.sort_direction}`;
    const compare = order(query.sort_direction);
    const ids = query.voice_ids;
    const candidates =
      ids === undefined ? allVoices(ctx, services, query.search) : voicesOfIds(ctx, services, [ids].flat());
    const found = (await candidates)
      .filter((voice) => fits(voice, query))
      .map((voice) => ({ voice, place: placeOf(voice, query.sort) }))
      .toSorted((one, other) => compare(one.place, other.place));
    const token = query.next_page_token;
    const after =
      token === undefined ? undefined : placeIn(services.cursors.read(workspaceId, list, token, 'next_page_token'));
    const rest = after ? found.filter(({ place }) => compare(place, after) > 0) : found;
    const page = rest.slice(0, query.page_size);
    const hasMore = page.length < rest.length;
    ctx.body = {
      voices: page.map(({ voice }) => voice),
      has_more: hasMore,
      total_count: query.include_total_count ? found.length : 0,
      next_page_token: hasMore ? services.cursors.write(workspaceId, list, JSON.stringify(page.at(-1)!.place)) : null,
    } satisfies z.infer<typeof VoicePage>;
  };
}

function fits(voice: ShownVoice, query: VoiceSearch): boolean {
  const { search, category, voice_type: type } = query;
  // No voice here has any of these.
  const { collection_id: collection, fine_tuning_state: tuning, high_quality: isStudio } = query;
  if (collection !== undefined || tuning !== undefined || isStudio) return false;
  if (category !== undefined && voice.category !== category) return false;
  if (type !== undefined && !CATEGORIES[type]!.includes(voice.category)) return false;
  const labels: Record<string, string> = voice.labels;
  const { gender, accent, age, language, use_cases: useCase } = query;
  const isOther = ([name, values]: [string, string | string[] | undefined]) =>
    values !== undefined && ![values].flat().includes(labels[name] ?? '');
  if (Object.entries({ gender, accent, age, language, use_case: useCase }).some(isOther)) return false;
  const words = [voice.name, voice.voice_id, voice.description ?? '', voice.category, ...Object.values(labels)]
    .join(' ')
    .toLowerCase();
  return search === undefined || words.includes(search.toLowerCase());
}

/** Sort key of a voice: its value, then its id. */
type Place = [string | number, string];

function placeOf({ name, created_at_unix: createdAt, voice_id: id }: ShownVoice, sort: VoiceSearch['sort']): Place {
  // Presets have no creation time, so they come first.
  return [sort === 'name' ? name : (createdAt ?? 0), id];
}

const placeIn = (position: string) => JSON.parse(position) as Place;

function order(direction: VoiceSearch['sort_direction']) {
  const sign = direction === 'asc' ? 1 : -1;
  return ([value, id]: Place, [otherValue, otherId]: Place): number =>
    sign * (compareValues(value, otherValue) || compareValues(id, otherId));
}

function compareValues(one: string | number, other: string | number): number {
  if (typeof one === 'string') return one.localeCompare(String(other));
  return one - Number(other);
}
