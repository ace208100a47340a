import type { JsonSchema } from '../../base/jsonSchema.ts';

// What JSON columns of agents and of their runs hold.

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
}

/** How an agent uses its model, and the types of its input and output. Versions from before these settings lack them. */
export interface ModelSettings {
  /** Id of a text model of the catalogue; the platform's model for agents when left out. */
  model?: string | null;
  /** Calls of the model in one run. */
  max_steps?: number | null;
  temperature?: number | null;
  /** Of the first call: `auto`, `required`, or the name of a tool. Later calls are free. */
  tool_choice?: string | null;
  /** A run's input is then one object that fits. */
  input_schema?: JsonSchema | null;
  /** A completed run has then returned one object that fits. */
  output_schema?: JsonSchema | null;
  /** Whether a run may order its own output schema. */
  accepts_response_format?: boolean;
  /** The agents that it may call, as `<namespace>/<slug>`. */
  agents?: string[] | null;
}

/** The meters of a run. */
export type MeterId = 'model_input_tokens' | 'model_output_tokens' | 'sandbox_seconds' | 'tool_calls';

/** A price list in its public form, stored with each run when it is created. */
export interface Pricing {
  id: string;
  currency: 'USD';
  minimum_cost_usd: number;
  maximum_cost_usd: number;
  network_fee_percentage: number;
  /** The platform pays the part of its own costs that the prices do not cover. */
  subsidised?: boolean;
  /** `platform_cost_usd` is the part of a price that goes to the platform. Older runs have none. */
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
