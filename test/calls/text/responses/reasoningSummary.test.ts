import { expect, test } from '@jest/globals';
import { createResponsesPresenter } from '../../../../calls/text/responses/responsesPresenter.ts';
import { parseResponses } from '../../../../calls/text/responses/responsesRequest.ts';
import { readFrames } from '../../../support/streams.ts';

const delta = (members: object) => ({ choices: [{ index: 0, delta: members }] });

test('a stream has the reasoning as the summary that the request asks for', () => {
  const { echo } = parseResponses({ model: 'swift', input: 'Hello', reasoning: { summary: 'auto' } });
  const presenter = createResponsesPresenter({ id: 'resp_1', created: 1700000000, modelId: 'swift', echo });
  const chunks = [delta({ reasoning_content: 'Hm' }), delta({ reasoning_content: '.' }), delta({ content: 'Yes' })];
  const sent =
    presenter.start() +
    presenter.push(chunks) +
    presenter.end({ usage: { inputTokens: 5, outputTokens: 4 }, cutShort: false });
  const events = readFrames(sent).map(
    ({ data }) => JSON.parse(data) as { type: string; response?: { output: object[] } },
  );
  expect(events.slice(2, 9).map(({ type }) => type.replace('response.', ''))).toEqual([
    'output_item.added',
    'reasoning_summary_part.added',
    'reasoning_summary_text.delta',
    'reasoning_summary_text.delta',
    'reasoning_summary_text.done',
    'reasoning_summary_part.done',
    'output_item.done',
  ]);
  expect(events[6]).toMatchObject({ summary_index: 0, text: 'Hm.' });
  expect(events.at(-1)!.response!.output).toMatchObject([
    { type: 'reasoning', status: 'completed', summary: [{ type: 'summary_text', text: 'Hm.' }], content: [] },
    { type: 'message' },
  ]);
});
