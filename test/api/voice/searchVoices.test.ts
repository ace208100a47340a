import { afterAll, expect, test } from '@jest/globals';
import { read, setVoiceStage } from './voiceStage.ts';

const stage = await setVoiceStage();
const account = await stage.account();
await stage.asOwner(
  `insert into voices (id, workspace_id, name, labels, measure, created_at)
   select 'voice_' || n, $1, 'Voice ' || (n % 4), '{"gender":"female","age":"old","language":"de","use_case":"odd"}', '{}', now() - make_interval(secs => n / 3)
   from generate_series(1, 12) n`,
  [account.workspaceId],
);
afterAll(() => stage.close());

interface Page {
  voices: { voice_id: string; category: string }[];
  has_more: boolean;
  total_count: number;
  next_page_token: string | null;
}

const search = (query: Record<string, string>) =>
  stage.call(`/voiceapi/v2/voices?${new URLSearchParams(query).toString()}`, { key: account.secret });
const found = (query: Record<string, string>) => read<Page>(search({ page_size: '100', ...query }));

/** All pages of a search, with an action between them. */
async function pagesOf(query: Record<string, string>, between: (page: Page) => Promise<void> = async () => {}) {
  const ids: string[] = [];
  let token: string | null = null;
  do {
    const page: Page = await read<Page>(search({ ...query, page_size: '5', ...(token && { next_page_token: token }) }));
    ids.push(...page.voices.map(({ voice_id: id }) => id));
    await between(page);
    token = page.next_page_token;
    expect(page.has_more).toBe(token !== null);
  } while (token !== null);
  return ids;
}

test.each<Record<string, string>>([
  {},
  { sort: 'name' },
  { sort: 'name', sort_direction: 'desc' },
  { sort: 'created_at_unix' },
  { sort: 'created_at_unix', sort_direction: 'desc' },
])('pages have each voice once, in the order of a single page: %j', async (query) => {
  const whole = (await found(query)).voices.map(({ voice_id: id }) => id);
  expect(whole).toHaveLength(25);
  expect(await pagesOf(query)).toEqual(whole);
});

test('premade voices have one name: in a search by it, by their id, and alone', async () => {
  const id = '21m00Tcm4TlvDq8ikWAM';
  type Named = { voice_id: string; name: string };
  const names = ({ voices }: Page) => voices.map((voice) => [voice.voice_id, (voice as unknown as Named).name]);
  expect(names(await found({ search: 'rachel' }))).toEqual([[id, 'Rachel']]);
  expect(names(await found({ search: id }))).toEqual([[id, 'Rachel']]);
  expect(names(await found({ voice_ids: id }))).toEqual([[id, 'Rachel']]);
  expect(names(await found({ search: 'alloy' }))).toEqual([['alloy', 'Alloy']]);
  expect(await read<Named>(stage.call(`/voiceapi/v1/voices/${id}`))).toMatchObject({ voice_id: id, name: 'Rachel' });
});

test.each<[Record<string, string>, number]>([
  [{ voice_type: 'personal' }, 12],
  [{ voice_type: 'default' }, 13],
  [{ voice_type: 'non-default' }, 12],
  [{ voice_type: 'community' }, 0],
  [{ category: 'cloned' }, 12],
  [{ gender: 'female', age: 'old' }, 12],
  [{ age: 'young' }, 4],
  [{ age: 'ancient' }, 0],
  [{ search: 'VOICE 2' }, 3],
  [{ voice_ids: 'voice_3' }, 1],
  [{ language: 'en' }, 13],
  [{ language: 'de' }, 12],
  [{ use_cases: 'odd' }, 12],
  [{ collection_id: 'mine' }, 0],
  [{ fine_tuning_state: 'draft' }, 0],
  [{ high_quality: 'true' }, 0],
  [{ include_custom_rates: 'false', include_live_moderated: 'true', category: 'cloned', high_quality: 'false' }, 12],
])('filters voices: %j', async (query, count) => {
  expect(await found(query)).toMatchObject({ total_count: count, has_more: false, next_page_token: null });
});

const rachel = '21m00Tcm4TlvDq8ikWAM';

test("finds voices by either vendor's ids, and returns the requested ids", async () => {
  const query = `voice_ids=${rachel}&voice_ids=voice_3&voice_ids=echo&voice_ids=nobody&page_size=100`;
  const page = await read<Page>(stage.call(`/voiceapi/v2/voices?${query}`, { key: account.secret }));
  expect(page.voices.map(({ voice_id: id }) => id).toSorted()).toEqual([rachel, 'echo', 'voice_3'].toSorted());
  expect(page).toMatchObject({ total_count: 3, has_more: false });
});

test('several values of a filter match any of them', async () => {
  const query = 'language=de&language=en&use_cases=odd&use_cases=conversational&page_size=100';
  const { voices } = await read<Page>(stage.call(`/voiceapi/v2/voices?${query}`, { key: account.secret }));
  expect(voices.map(({ voice_id: id }) => id)).toEqual(expect.arrayContaining(['alloy', 'voice_1']));
  expect(voices.map(({ voice_id: id }) => id)).not.toContain('ballad');
});

test.each<[string, string]>([
  [rachel, 'Rachel'],
  ['t0jbNlBVZ17f02VDIeMI', 'Jessie'],
  ['wViXBPUzp2ZZixB1xQuM', 'Ryan'],
  ['hpp4J3VqNfWAUOO0d1Us', 'Bella'],
  ['alloy', 'Alloy'],
])('returns the premade voice %s under the requested id, as %s', async (id, name) => {
  const voice = await read(stage.call(`/voiceapi/v1/voices/${id}`, { key: account.secret }));
  expect(voice).toMatchObject({ voice_id: id, name, category: 'premade' });
});

test.each<[Record<string, string>, string]>([
  [{ next_page_token: 'alloy' }, 'next_page_token'],
  [{ voice_type: 'mine' }, 'voice_type'],
  [{ fine_tuning_state: 'tuned' }, 'fine_tuning_state'],
  [{ min_notice_period_days: '3' }, 'min_notice_period_days'],
])('refuses an invalid search: %j', async (query, param) => {
  const { error } = await read<{ error: { code: string; param: string } }>(search(query), 422);
  expect(error).toMatchObject({ code: 'validation_error', param });
});

test('finds all voices that are removed page by page', async () => {
  const ids = await pagesOf({ voice_type: 'personal' }, async ({ voices }) => {
    for (const { voice_id: id } of voices)
      await read(await stage.call(`/voiceapi/v1/voices/${id}`, { key: account.secret, method: 'DELETE' }));
  });
  expect(ids).toHaveLength(12);
  expect((await found({ voice_type: 'personal' })).total_count).toBe(0);
});
