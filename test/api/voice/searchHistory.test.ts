import { afterAll, expect, test } from '@jest/globals';
import { createKey } from '../../../db/keys/keyStore.ts';
import { read, setVoiceStage } from './voiceStage.ts';

const stage = await setVoiceStage();
const account = await stage.account();
const key = account.secret;
// The first at 1,000 s, each a second later; two have the same time.
await stage.asOwner(
  `insert into speech_history (id, workspace_id, request_id, source, voice_id, voice_name, voice_category, model_id, text, characters,
     content_type, output_format, created_at)
   select 'hist_' || n, $1, 'req', case when n % 3 = 0 then 'STS' else 'TTS' end, 'voice_' || n % 2, 'V', 'cloned',
     case n % 3 when 0 then 'ledgerline-voice-conversion' when 1 then 'ledgerline-speech' else 'ledgerline-cloned-speech' end,
     case when n % 3 = 0 then '' else 'Verse ' || n || ' of 100%' end, 1, 'audio/mpeg', 'mp3_44100_128',
     to_timestamp(999 + case n when 5 then 4 else n end) from generate_series(1, 7) n`,
  [account.workspaceId],
);
afterAll(() => stage.close());

interface Page {
  history: { history_item_id: string }[];
  has_more: boolean;
  last_history_item_id: string | null;
}

const ask = (query: Record<string, string>) =>
  stage.call(`/voiceapi/v1/history?${new URLSearchParams(query).toString()}`, { key });
const pageOf = (query: Record<string, string>) => read<Page>(ask(query));
const numbersOf = ({ history }: Page) => history.map(({ history_item_id: id }) => Number(id.slice('hist_'.length)));

test.each<[Record<string, string>, number[]]>([
  [{}, [7, 6, 5, 4, 3, 2, 1]],
  [{ sort_direction: 'asc' }, [1, 2, 3, 4, 5, 6, 7]],
  [{ source: 'STS' }, [6, 3]],
  [{ source: 'TTS', voice_id: 'voice_1' }, [7, 5, 1]],
  [{ search: 'VERSE 2' }, [2]],
  [{ search: '%' }, [7, 5, 4, 2, 1]],
  [{ date_after_unix: '1003' }, [7, 6, 5, 4]],
  [{ date_before_unix: '1003' }, [3, 2, 1]],
  [{ date_after_unix: '1001', date_before_unix: '1002' }, [2]],
  [{ model_id: 'ledgerline-speech' }, [7, 4, 1]],
  // The vendor's names mean the model for preset voices and the model for cloned voices.
  [{ model_id: 'eleven_multilingual_v2' }, [7, 5, 4, 2, 1]],
  [{ model_id: 'eleven_multilingual_sts_v2' }, [6, 3]],
  [{ model_id: 'unknown' }, []],
])('%j finds the matching items', async (query, numbers) => {
  const page = await pageOf(query);
  expect(numbersOf(page)).toEqual(numbers);
  expect(page.has_more).toBe(false);
});

test.each(['asc', 'desc'])('pages (%s) have each item once', async (direction) => {
  const numbers: number[] = [];
  let after: string | null = null;
  do {
    const query = { sort_direction: direction, page_size: '3', ...(after && { start_after_history_item_id: after }) };
    const page: Page = await pageOf(query);
    numbers.push(...numbersOf(page));
    after = page.has_more ? page.last_history_item_id : null;
  } while (after !== null);
  expect(numbers).toEqual(numbersOf(await pageOf({ sort_direction: direction })));
});

test.each<[Record<string, string>, string]>([
  [{ source: 'other' }, 'source'],
  [{ date_after_unix: '1e400' }, 'date_after_unix'],
  [{ colour: 'red' }, 'colour'],
  [{ start_after_history_item_id: 'hist_unknown' }, 'start_after_history_item_id'],
])('refuses an invalid search: %j', async (query, param) => {
  const { error } = await read<{ error: { param: string } }>(ask(query), 422);
  expect(error.param).toBe(param);
});

test('a key of a project reads, plays and removes the history of that project alone', async () => {
  const { workspaceId, secret: whole } = await stage.account({ balanceNanos: 1_000_000_000n });
  const keyIn = async (projectId: string) =>
    (await createKey(stage.db.everywhere, { workspaceId, name: projectId, scopes: ['voice'], projectId })).secret;
  const [own, other] = [await keyIn('proj_own'), await keyIn('proj_other')];
  const speak = async (by: string) => {
    const said = await stage.speak('alloy', {}, by);
    await said.arrayBuffer();
    return said.headers.get('history-item-id')!;
  };
  const [mine, theirs] = [await speak(own), await speak(other)];
  const item = (path: string, by: string, method = 'GET') =>
    stage.call(`/voiceapi/v1/history${path}`, { key: by, method });
  const listed = async (by: string) => (await read<Page>(item('', by))).history.map(({ history_item_id: id }) => id);
  expect(await listed(own)).toEqual([mine]);
  for (const path of [`/${theirs}`, `/${theirs}/audio`]) expect((await item(path, own)).status).toBe(404);
  expect((await item(`/${theirs}`, own, 'DELETE')).status).toBe(404);
  expect((await item(`/${theirs}/audio`, other)).status).toBe(200);
  expect(await listed(whole)).toEqual([theirs, mine]);
  expect((await item(`/${mine}`, own, 'DELETE')).status).toBe(200);
  expect(await listed(own)).toEqual([]);
});

test('a speech is downloaded from the history as WAV where it was made as PCM', async () => {
  const made = async (format: string) => {
    const response = await stage.speak(`alloy?output_format=${format}`, { text: 'One.' });
    return { id: response.headers.get('history-item-id')!, sound: Buffer.from(await response.arrayBuffer()) };
  };
  const download = (ids: string[]) =>
    stage.call('/voiceapi/v1/history/download', {
      body: JSON.stringify({ history_item_ids: ids, output_format: 'wav' }),
    });
  const [pcm, mp3] = [await made('pcm_16000'), await made('mp3_44100_128')];
  const response = await download([pcm.id]);
  const wav = Buffer.from(await response.arrayBuffer());
  expect([response.headers.get('content-type'), wav.readUInt32LE(24)]).toEqual(['audio/wav', 16_000]);
  expect(wav.subarray(44).equals(pcm.sound)).toBe(true);
  const refused = await download([pcm.id, mp3.id]);
  expect(refused.status).toBe(422);
  expect(await refused.json()).toMatchObject({ error: { code: 'unsupported_parameter', param: 'output_format' } });
  const body = JSON.stringify({ history_item_ids: [pcm.id], quality: 'high' });
  const unknown = await stage.call('/voiceapi/v1/history/download', { body });
  expect(await unknown.json()).toMatchObject({ error: { code: 'validation_error', param: 'quality' } });
});
