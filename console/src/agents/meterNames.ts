/** The meters of runs as pages name them. */
export const METER_NAMES: Partial<Record<string, string>> = {
  model_input_tokens: 'Input tokens',
  model_output_tokens: 'Output tokens',
  sandbox_seconds: 'Sandbox',
  tool_calls: 'Tool calls',
};
