import type { JsonSchema } from '../../base/jsonSchema.ts';

// The contents of JSON columns of agents and their runs.

/** An agent's configuration: the draft that its publisher edits, and the frozen content of a version. Prices in US dollars. */
export interface AgentConfiguration extends ModelSettings {
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
  /** How long memories are kept; until they are deleted when omitted. */
  memory_days?: number | null;
}

/** How an agent uses its model, and the types of its input and output. Versions from before these settings lack them. */
export interface ModelSettings {
  /** Id of a text model of the catalogue; the platform's model for agents when omitted. */
  model?: string | null;
  /** Calls of the model in one run. */
  max_steps?: number | null;
  /** What becomes of earlier turns when a conversation nears the model's context. */
  compaction?: Compaction | null;
  temperature?: number | null;
  /** Of the first call: `auto`, `required`, or the name of a tool. Later calls are free. */
  tool_choice?: string | null;
  /** A run's input is then one matching object. */
  input_schema?: JsonSchema | null;
  /** A completed run has then returned one matching object. */
  output_schema?: JsonSchema | null;
  /** Whether a run may order its own output schema. */
  accepts_response_format?: boolean;
  /** The agents it may call, as `<namespace>/<slug>`. */
  agents?: string[] | null;
  /** Whether `ask_user` may ask with a form, a default answer and a deadline. Without it a question is a text. */
  question_forms?: boolean;
  /** The tools that a run uses only after its caller has approved the call. */
  requires_approval?: string[] | null;
  /** The publisher's own code, called over HTTP. */
  http_tools?: HttpToolSettings[] | null;
}

/** How a run's conversation is kept within the model's context. */
export interface Compaction {
  mode: 'summarize' | 'truncate' | 'off';
  /** Tokens of a call of the model. */
  compact_threshold?: number | null | undefined;
  keep_turns?: number | null | undefined;
  /** What a summary has to keep. */
  instructions?: string | null | undefined;
}

/** A tool that is the publisher's own code at an address. */
export interface HttpToolSettings {
  name: string;
  description: string;
  input_schema: JsonSchema;
  url: string;
  /** Of one call, with its retries. */
  timeout_seconds?: number | null;
}

/** The meters of a run, by the names that rates use. A meter without a rate is free. */
export const RUN_METERS = {
  model_input_tokens: { unit: 'token', label: 'Model input', description: 'Tokens read by the model.' },
  model_output_tokens: { unit: 'token', label: 'Model output', description: 'Tokens written by the model.' },
  sandbox_seconds: { unit: 'second', label: 'Sandbox', description: 'Seconds that code ran in the sandbox.' },
  tool_calls: { unit: 'call', label: 'Tool calls', description: 'Calls of tools.' },
} as const;

export type MeterId = keyof typeof RUN_METERS;

/** A price list in its public form, stored with each run when it is created. */
export interface Pricing {
  id: string;
  currency: 'USD';
  minimum_cost_usd: number;
  maximum_cost_usd: number;
  network_fee_percentage: number;
  /** The platform pays the part of its own costs that the prices do not cover. */
  subsidised?: boolean;
  /** `platform_cost_usd` is the platform's part of a price. Older runs lack it. */
  meters: { id: string; unit: string; price_usd: number; platform_cost_usd?: number; description: string }[];
}

/** An output schema of a run's caller, in the form of OpenAI's chat completions. */
export type ResponseFormat = {
  type: 'json_schema';
  json_schema: {
    name: string;
    description?: string | undefined;
    schema: JsonSchema;
    strict?: boolean | null | undefined;
  };
};
