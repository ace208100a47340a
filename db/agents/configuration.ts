/** What an agent is made of: the draft that its publisher edits, and the frozen text of a version. Prices in US dollars. */
export interface AgentConfiguration {
  name: string;
  description: string;
  instructions: string;
  /** Names of built-in tools. */
  tools: string[];
  plugins: { plugin_id: string; version: string }[];
  pricing: {
    minimum_cost_usd: number;
    maximum_cost_usd: number;
    rates: { meter: MeterId; price_usd: number }[];
  };
  icon_file_id: string | null;
  categories: string[];
  example_prompts: string[];
}

/** What a run consumes, by the names that rates use. A meter without a rate is free. */
export const meters = {
  model_input_tokens: { unit: 'token', label: 'Model input', description: 'Tokens read by the model.' },
  model_output_tokens: { unit: 'token', label: 'Model output', description: 'Tokens written by the model.' },
  sandbox_seconds: { unit: 'second', label: 'Sandbox', description: 'Seconds that code ran in the sandbox.' },
  tool_calls: { unit: 'call', label: 'Tool calls', description: 'Calls of tools.' },
} as const;

export type MeterId = keyof typeof meters;
