import { unitName } from '../parts/unitName.ts';

/** The categories that pages suggest; publishers may use others. */
export const CATEGORIES = ['coding', 'data', 'research', 'support', 'writing'];

const METERS: Partial<Record<string, string>> = {
  model_input_tokens: 'Input tokens',
  model_output_tokens: 'Output tokens',
  sandbox_seconds: 'Sandbox',
};

/** A meter of runs as pages name it: `tool_calls` is Tool calls. */
export const meterName = (id: string): string => METERS[id] ?? unitName(id);
