import { afterAll, describe, expect, test } from '@jest/globals';
import OpenAI, { toFile } from 'openai';
import { textModel } from '../../support/startApi.ts';
import { setMoneyStage, type Account } from '../stages/moneyStage.ts';

const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');
const dataUrl = `data:application/pdf;base64,${pdf.toString('base64')}`;

const stage = await setMoneyStage();
const mine = await stage.account({ creditUsd: '1' });
afterAll(() => stage.close());

const clientOf = ({ secret }: Account) =>
  new OpenAI({ apiKey: secret, baseURL: `${stage.urls()[0]}/textapi/v1`, maxRetries: 0 });
const client = clientOf(mine);
const fileId = (await client.files.create({ file: await toFile(pdf, 'bill.pdf'), purpose: 'user_data' })).id;
const question = { type: 'text' as const, text: 'What does the file say?' };
type Part = OpenAI.Responses.ResponseFunctionCallOutputItem;

/** A conversation whose tool has returned a part. */
function drawn(part: Part) {
  const call = { type: 'function_call' as const, call_id: 'c1', name: 'draw', arguments: '{}' };
  const output = { type: 'function_call_output' as const, call_id: 'c1', output: [part] };
  return { input: [{ role: 'user' as const, content: question.text }, call, output], call };
}

describe('a file of the workspace, named by its id', () => {
  test('reaches the model of a chat itself', async () => {
    const content = [question, { type: 'file' as const, file: { file_id: fileId } }];
    await client.chat.completions.create({ model: textModel, messages: [{ role: 'user', content }] });
    const file = { file_data: dataUrl, filename: 'bill.pdf' };
    expect(stage.upstream.lastMessages()).toEqual([{ role: 'user', content: [question, { type: 'file', file }] }]);
  });

  test('reaches the model of a response itself, as a file or a picture', async () => {
    const content = [
      { type: 'input_text' as const, text: question.text },
      { type: 'input_file' as const, file_id: fileId, filename: 'mine.pdf' },
      { type: 'input_image' as const, file_id: fileId, detail: 'low' as const },
    ];
    await client.responses.create({ model: textModel, input: [{ role: 'user', content }] });
    expect(stage.upstream.lastMessages()).toEqual([
      {
        role: 'user',
        content: [
          question,
          { type: 'file', file: { file_data: dataUrl, filename: 'mine.pdf' } },
          { type: 'image_url', image_url: { url: dataUrl, detail: 'low' } },
        ],
      },
    ]);
  });

  test.each(['vision', 'assistants'] as const)('reaches the model when its purpose is %s', async (purpose) => {
    const { id } = await client.files.create({ file: await toFile(pdf, 'bill.pdf'), purpose });
    const content = [{ type: 'input_image' as const, file_id: id, detail: 'auto' as const }];
    await client.responses.create({ model: textModel, input: [{ role: 'user', content }] });
    const picture = { type: 'image_url', image_url: { url: dataUrl, detail: 'auto' } };
    expect(stage.upstream.lastMessages()).toEqual([{ role: 'user', content: [picture] }]);
  });

  test('reaches the model in the output of a tool', async () => {
    const { input, call } = drawn({ type: 'input_image', file_id: fileId, detail: 'auto' });
    const { id, usage } = await client.responses.create({ model: textModel, input });
    const content = [
      { type: 'text', text: 'Files of the output of c1:' },
      { type: 'image_url', image_url: { url: dataUrl, detail: 'auto' } },
    ];
    expect(stage.upstream.lastMessages().at(-1)).toEqual({ role: 'user', content });
    expect(usage!.input_tokens).toBeGreaterThan(85);
    const { data } = await client.responses.inputItems.list(id, { order: 'asc' });
    expect(data).toMatchObject([{ role: 'user' }, call, { output: [{ type: 'input_image', detail: 'auto' }] }]);
  });

  test('is refused by name in the output of a tool, when it is missing, unknown, or not alone', async () => {
    const refusalOf = (part: Part) =>
      client.responses.create({ model: textModel, input: drawn(part).input }).catch((error: unknown) => error);
    const path = 'input[2].output[0]';
    const image_url = dataUrl;
    const image = { type: 'input_image', detail: 'auto' } as const;
    expect(await refusalOf(image)).toMatchObject({ status: 400, param: `${path}.image_url` });
    const twice = { ...image, image_url, file_id: fileId };
    expect(await refusalOf(twice)).toMatchObject({ status: 400, param: `${path}.file_id` });
    const unknown = { type: 'input_file', file_id: 'file_unknown' } as const;
    expect(await refusalOf(unknown)).toMatchObject({ status: 404, param: `${path}.file_id` });
  });

  test('is billed by its size, like a file that the request carries', async () => {
    const usageOf = async (file: object) => {
      const messages = [{ role: 'user' as const, content: [question, { type: 'file' as const, file }] }];
      return (await client.chat.completions.create({ model: textModel, messages })).usage;
    };
    expect(await usageOf({ file_id: fileId })).toEqual(await usageOf({ file_data: dataUrl, filename: 'bill.pdf' }));
  });

  test.each(['file_unknown', 'of another workspace'])('is refused by name when it is unknown: %s', async (id) => {
    const calls = stage.upstream.calls().length;
    const other = clientOf(await stage.account({ creditUsd: '1' }));
    const file = { file_id: id === 'file_unknown' ? id : fileId };
    const messages = [{ role: 'user' as const, content: [{ type: 'file' as const, file }] }];
    const param = 'messages[0].content[0].file.file_id';
    const refused = { status: 404, code: 'file_not_found', param };
    await expect(other.chat.completions.create({ model: textModel, messages })).rejects.toMatchObject(refused);
    const input = [{ role: 'user' as const, content: [{ type: 'input_file' as const, ...file }] }];
    await expect(other.responses.create({ model: textModel, input })).rejects.toMatchObject({
      ...refused,
      param: 'input[0].content[0].file_id',
    });
    expect(stage.upstream.calls()).toHaveLength(calls);
  });
});
