import { data, deltaOf, deltas, DONE, spaced, usage, type Piece, type Vendor } from './vendorEvents.ts';

export const openai: Vendor = {
  name: 'OpenAI',
  isPlain: true,
  events: (pieces) => {
    const head = {
      id: 'chatcmpl-C1',
      object: 'chat.completion.chunk',
      created: 1_763_000_000,
      model: 'gpt-4.1-2025-04-14',
      service_tier: 'default',
      system_fingerprint: 'fp_1',
    };
    const chunk = (choices: object[], more: object = {}) =>
      data(JSON.stringify({ ...head, choices, usage: null, obfuscation: 'aB3x'.slice(choices.length), ...more }));
    const opened = deltas(pieces).map((delta) => chunk([{ index: 0, delta, logprobs: null, finish_reason: null }]));
    const last = chunk([{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }]);
    return [...opened, last, chunk([], { usage, obfuscation: '' }), DONE];
  },
};

const azure: Vendor = {
  name: 'Azure',
  isPlain: true,
  events: (pieces) => {
    const head = { id: 'chatcmpl-A', model: 'gpt-4o', object: 'chat.completion.chunk', system_fingerprint: 'fp_z' };
    const filtered = { content_filter_results: { hate: { filtered: false, severity: 'safe' } } };
    const chunk = (choices: object[], more: object = {}) =>
      data(JSON.stringify({ choices, created: 1_763_000_000, ...head, usage: null, ...more }));
    const first = chunk([], { prompt_filter_results: [{ prompt_index: 0, ...filtered }], id: '', created: 0 });
    const opened = deltas(pieces).map((delta) =>
      chunk([{ ...filtered, delta, finish_reason: null, index: 0, logprobs: null }]),
    );
    const last = chunk([{ ...filtered, delta: {}, finish_reason: 'stop', index: 0, logprobs: null }]);
    return [first, ...opened, last, chunk([], { usage }), DONE];
  },
};

const groq: Vendor = {
  name: 'Groq',
  isPlain: true,
  events: (pieces) => {
    const head = { id: 'chatcmpl-g', object: 'chat.completion.chunk', created: 1_763_000_001, model: 'llama-3.3-70b' };
    const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) =>
      data(
        JSON.stringify({
          ...head,
          system_fingerprint: 'fp_6',
          choices: [{ index: 0, delta, logprobs: null, finish_reason }],
          ...more,
        }),
      );
    const opened = deltas(pieces, 'reasoning').map((delta, at) =>
      chunk(delta, null, at === 0 ? { x_groq: { id: 'req_1' } } : {}),
    );
    return [...opened, chunk({}, 'stop', { x_groq: { id: 'req_1', usage }, usage }), DONE];
  },
};

const mistral: Vendor = {
  name: 'Mistral',
  isPlain: true,
  events: (pieces) => {
    const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
      data(
        JSON.stringify({
          id: 'cmpl-m',
          object: 'chat.completion.chunk',
          created: 1_763_000_002,
          model: 'mistral-small-latest',
          choices: [{ index: 0, delta, finish_reason }],
          ...more,
          p: 'abcdefghijk'.slice(0, 1 + (JSON.stringify(delta).length % 10)),
        }),
      );
    return [...deltas(pieces).map((delta) => chunk(delta, null)), chunk({ content: '' }, 'stop', { usage }), DONE];
  },
};

const together: Vendor = {
  name: 'Together',
  // Each chunk has the number of its token.
  isPlain: false,
  events: (pieces) => {
    const chunk = (piece: Piece, at: number, finish_reason: string | null, more: unknown = null) => {
      const delta = { token_id: 791 + at, role: 'assistant', ...deltaOf(piece, 'reasoning'), tool_calls: null };
      const choice = { index: 0, text: piece.text, logprobs: null, finish_reason, seed: null, delta };
      return data(
        JSON.stringify({
          id: 'o9w-1',
          object: 'chat.completion.chunk',
          created: 1_763_000_003,
          choices: [choice],
          model: 'meta-llama/x',
          usage: more,
        }),
      );
    };
    const said = pieces.filter(({ member }) => member !== 'arguments');
    const last: Piece = { text: '', member: 'content' };
    return [...said.map((piece, at) => chunk(piece, at, null)), chunk(last, 9, 'stop', usage), DONE];
  },
};

const fireworks: Vendor = {
  name: 'Fireworks',
  isPlain: true,
  events: (pieces) => {
    const head = { id: 'fw', object: 'chat.completion.chunk', created: 1_763_000_004, model: 'accounts/fireworks/m' };
    const chunk = (delta: object, finish_reason: string | null, more: object = { usage: null }) =>
      data(JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }], ...more }), '\r\n');
    return [...deltas(pieces).map((delta) => chunk(delta, null)), chunk({}, 'stop', { usage }), data('[DONE]', '\r\n')];
  },
};

const deepseek: Vendor = {
  name: 'DeepSeek',
  isPlain: true,
  events: (pieces) => {
    const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
      data(
        JSON.stringify({
          id: '7a9c',
          object: 'chat.completion.chunk',
          created: 1_763_000_005,
          model: 'deepseek-reasoner',
          system_fingerprint: 'fp_d',
          choices: [{ index: 0, delta, logprobs: null, finish_reason }],
          ...more,
        }),
      );
    const opened = pieces.map(({ text, member }) =>
      chunk(
        member === 'reasoning'
          ? { content: null, reasoning_content: text }
          : { content: text, reasoning_content: null },
        null,
      ),
    );
    const first = chunk({ role: 'assistant', content: null, reasoning_content: '' }, null);
    return [first, ...opened, chunk({ content: '', reasoning_content: null }, 'stop', { usage }), DONE];
  },
};

const vllm: Vendor = {
  name: 'vLLM',
  isPlain: true,
  events: (pieces) => {
    const head = { id: 'chatcmpl-v', object: 'chat.completion.chunk', created: 1_763_000_006, model: 'Qwen/Qwen3' };
    const chunk = (delta: object, finish_reason: string | null) =>
      data(
        JSON.stringify({
          ...head,
          choices: [{ index: 0, delta, logprobs: null, finish_reason, token_ids: null }],
        }),
      );
    const last = chunk({ content: '' }, 'stop');
    return [
      ...deltas(pieces).map((delta) => chunk(delta, null)),
      last,
      data(JSON.stringify({ ...head, choices: [], usage })),
      DONE,
    ];
  },
};

const ollama: Vendor = {
  name: 'Ollama',
  isPlain: true,
  // The time moves on, the role comes with each chunk, and there is no space after the colon.
  events: (pieces) => {
    const chunk = (delta: object, at: number, finish_reason: string | null) =>
      `data:${JSON.stringify({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1_763_000_007 + Math.floor(at / 8),
        model: 'llama3.2',
        system_fingerprint: 'fp_ollama',
        choices: [{ index: 0, delta, finish_reason }],
      })}\n\n`;
    const said = pieces.map((piece, at) => chunk({ role: 'assistant', ...deltaOf(piece, 'reasoning') }, at, null));
    return [...said, chunk({ role: 'assistant', content: '' }, 9, 'stop'), DONE];
  },
};

const openrouter: Vendor = {
  name: 'OpenRouter',
  isPlain: true,
  events: (pieces) => {
    const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
      data(
        JSON.stringify({
          id: 'gen-1',
          provider: 'Anthropic',
          model: 'anthropic/claude',
          object: 'chat.completion.chunk',
          created: 1_763_000_008,
          choices: [{ index: 0, delta, finish_reason, native_finish_reason: finish_reason, logprobs: null }],
          ...more,
        }),
      );
    const said = pieces.map(({ text, member }) =>
      chunk(
        {
          role: 'assistant',
          content: member === 'reasoning' ? '' : text,
          ...(member === 'reasoning' && { reasoning: text }),
        },
        null,
      ),
    );
    const waiting = ': OPENROUTER PROCESSING\n\n';
    return [
      waiting,
      waiting,
      ...said.flatMap((event, at) => (at % 5 === 4 ? [waiting, event] : [event])),
      chunk({ role: 'assistant', content: '' }, 'stop'),
      chunk({ role: 'assistant', content: '' }, null, { usage }),
      DONE,
    ];
  },
};

const anthropic: Vendor = {
  name: 'Anthropic, compatible',
  isPlain: true,
  events: (pieces) => {
    const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
      `event: completion\n${data(
        JSON.stringify({
          id: 'msg_01',
          choices: [{ index: 0, delta, finish_reason }],
          created: 1_763_000_009,
          model: 'claude-sonnet',
          object: 'chat.completion.chunk',
          ...more,
        }),
      )}`;
    return [...deltas(pieces).map((delta) => chunk(delta, null)), chunk({}, 'stop', { usage }), DONE];
  },
};

const gemini: Vendor = {
  name: 'Gemini, compatible',
  isPlain: true,
  // Its usage grows with the chunks at the end; before, spaces as Python writes them.
  events: (pieces) => {
    const chunk = (delta: object, finish_reason: string | undefined, more: object = {}) =>
      data(
        spaced({
          choices: [{ delta, finish_reason, index: 0 }],
          created: 1_763_000_010,
          id: 'gem',
          model: 'gemini-2.5-flash',
          object: 'chat.completion.chunk',
          ...more,
        }),
      );
    return [
      ...deltas(pieces).map((delta) => chunk(delta, undefined)),
      chunk({ role: 'assistant' }, 'stop', { usage }),
      DONE,
    ];
  },
};

/** A stream of each vendor. */
export const OF_EACH: Vendor[] = [
  openai,
  azure,
  groq,
  mistral,
  together,
  fireworks,
  deepseek,
  vllm,
  ollama,
  openrouter,
  anthropic,
  gemini,
];
