import { data, deltas, DONE, usage, type Vendor } from './vendorEvents.ts';
import { OF_EACH, openai } from './vendorFrames.ts';

const choicesOfVllm: Vendor = {
  name: 'vLLM, two choices',
  isPlain: true,
  // One of them ends first, and is not quite silent after it.
  events: (pieces) => {
    const head = { id: 'chatcmpl-v', object: 'chat.completion.chunk', created: 1_763_000_006, model: 'Qwen/Qwen3' };
    const choice = (index: number, delta: object, finish_reason: string | null) => ({ index, delta, finish_reason });
    const chunk = (...choices: object[]) => data(JSON.stringify({ ...head, choices }));
    const opened = deltas(pieces).map((delta, at) => choice(at % 2, delta, at === 9 ? 'length' : null));
    const both = ['one', 'two words', 'three'].map((content) =>
      chunk(choice(0, { content }, null), choice(1, { content: `${content} too` }, null)),
    );
    const last = chunk(choice(0, {}, 'stop'));
    return [
      ...opened.map((one) => chunk(one)),
      ...both,
      last,
      data(JSON.stringify({ ...head, choices: [], usage })),
      DONE,
    ];
  },
};

const logprobs: Vendor = {
  name: 'OpenAI, log probabilities',
  isPlain: false,
  events: (pieces) =>
    openai.events(pieces).map((event, at) => {
      const token = { token: `t${at}`, logprob: -at / 7, bytes: null, top_logprobs: [] };
      return event.replace('"logprobs":null', `"logprobs":${JSON.stringify({ content: [token], refusal: null })}`);
    }),
};

export const VENDORS: Vendor[] = [...OF_EACH, choicesOfVllm, logprobs];
