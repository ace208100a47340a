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
const lastMessages = () => stage.upstream.calls().at(-1)!.body.messages;

describe('a file of the workspace, named by its id', () => {
  test('reaches the model of a chat itself', async () => {
    const content = [question, { type: 'file' as const, file: { file_id: fileId } }];
    await client.chat.completions.create({ model: textModel, messages: [{ role: 'user', content }] });
    const file = { file_data: dataUrl, filename: 'bill.pdf' };
    expect(lastMessages()).toEqual([{ role: 'user', content: [question, { type: 'file', file }] }]);
  });

  test('reaches the model of a response itself, as a file or a picture', async () => {
    const content = [
      { type: 'input_text' as const, text: question.text },
      { type: 'input_file' as const, file_id: fileId, filename: 'mine.pdf' },
      { type: 'input_image' as const, file_id: fileId, detail: 'low' as const },
    ];
    await client.responses.create({ model: textModel, input: [{ role: 'user', content }] });
    expect(lastMessages()).toEqual([
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
