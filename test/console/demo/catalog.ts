import type { ApiSetting } from '../../support/startApi.ts';

interface DemoModel {
  id: string;
  name: string;
  description: string;
  usdPerMillion: Record<string, number>;
  contextTokens: number;
  /** Other than all of them. */
  supportedParameters?: string[];
}

/** The text models beside the installation's own one, with prices as they are common. */
const TEXT_MODELS: DemoModel[] = [
  {
    id: 'deepseek-v3.1',
    name: 'DeepSeek V3.1',
    description: 'A large mixture-of-experts model for reasoning, code and tools.',
    usdPerMillion: { input_tokens: 0.56, output_tokens: 1.68, cached_input_tokens: 0.07 },
    contextTokens: 131_072,
  },
  {
    id: 'qwen3-32b',
    name: 'Qwen3 32B',
    description: 'A dense multilingual model with strong instruction following.',
    usdPerMillion: { input_tokens: 0.2, output_tokens: 0.6, cached_input_tokens: 0.05 },
    contextTokens: 40_960,
  },
  {
    id: 'llama-3.3-70b',
    name: 'Llama 3.3 70B Instruct',
    description: 'A general model for chat and long documents.',
    usdPerMillion: { input_tokens: 0.59, output_tokens: 0.79 },
    contextTokens: 131_072,
  },
  {
    id: 'mistral-small-3.2',
    name: 'Mistral Small 3.2',
    description: 'A fast model for short answers, classification and extraction.',
    usdPerMillion: { input_tokens: 0.1, output_tokens: 0.3 },
    contextTokens: 131_072,
    supportedParameters: [
      'max_completion_tokens',
      'max_tokens',
      'response_format',
      'stop',
      'stream',
      'temperature',
      'top_p',
    ],
  },
];

const common = { created: 1_761_955_200, upstreams: [{ upstream: 'main', model: 'scripted' }] };

/** The catalogue of the demonstration, added to that of tests. */
export const demoCatalog: NonNullable<ApiSetting['catalog']> = {
  models: TEXT_MODELS.map((model) => ({
    ...common,
    ...model,
    kind: 'text',
    aliases: [],
    outputTokensMax: 8_192,
    batchFactor: 0.5,
  })),
};
