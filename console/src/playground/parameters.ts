import { IncompleteInput } from './failures.ts';

/** The parameters of a chat, without its model and messages. An empty string leaves a parameter to the model. */
export interface Parameters {
  system: string;
  temperature: number | '';
  topP: number | '';
  maxTokens: number | '';
  frequencyPenalty: number | '';
  presencePenalty: number | '';
  seed: number | '';
  stop: string[];
  format: 'text' | 'json_object' | 'json_schema';
  /** JSON as typed. */
  schema: string;
  tools: string;
}

/** Everything left to the model. */
export const UNSET: Parameters = {
  system: '',
  temperature: '',
  topP: '',
  maxTokens: '',
  frequencyPenalty: '',
  presencePenalty: '',
  seed: '',
  stop: [],
  format: 'text',
  schema: '',
  tools: '',
};

export const STANDARD: Parameters = { ...UNSET, maxTokens: 1024 };

/** The body of a streamed chat. Throws `IncompleteInput` when tools or schema are not JSON. */
export function bodyOf(model: string, parameters: Parameters, messages: object[]): object {
  const { system, temperature, topP, maxTokens, frequencyPenalty, presencePenalty, seed, stop } = parameters;
  return {
    model,
    messages: [...(system.trim() ? [{ role: 'system', content: system }] : []), ...messages],
    ...(temperature !== '' && { temperature }),
    ...(topP !== '' && { top_p: topP }),
    ...(maxTokens !== '' && { max_completion_tokens: maxTokens }),
    ...(frequencyPenalty !== '' && { frequency_penalty: frequencyPenalty }),
    ...(presencePenalty !== '' && { presence_penalty: presencePenalty }),
    ...(seed !== '' && { seed }),
    ...(stop.length > 0 && { stop }),
    ...formatOf(parameters),
    ...(parameters.tools.trim() && { tools: jsonIn('Tools', parameters.tools) }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function formatOf({ format, schema }: Parameters): object {
  if (format === 'text') return {};
  if (format === 'json_object') return { response_format: { type: format } };
  const value = jsonIn('JSON schema', schema);
  return { response_format: { type: format, json_schema: { name: 'answer', strict: true, schema: value } } };
}

function jsonIn(name: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new IncompleteInput(
      text.trim() === '' ? `${name} is empty.` : `${name}: Not JSON: ${(error as Error).message}`,
    );
  }
}
