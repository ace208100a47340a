import { JsonInput, NumberInput, Select, Stack, Textarea } from '@mantine/core';
import { Panel } from '../parts/Panel.tsx';

export interface Settings {
  model: string;
  system: string;
  temperature: number | string;
  maxTokens: number | string;
  seed: number | string;
  /** JSON as typed. */
  tools: string;
  schema: string;
}

export const STANDARD: Settings = {
  model: '',
  system: '',
  temperature: '',
  maxTokens: 256,
  seed: '',
  tools: '',
  schema: '',
};

/** The body of the call. Throws `SyntaxError` when tools or schema are not JSON. */
export function bodyOf(
  { model, system, temperature, maxTokens, seed, tools, schema }: Settings,
  messages: object[],
): object {
  return {
    model,
    messages: [...(system.trim() ? [{ role: 'system', content: system }] : []), ...messages],
    ...(temperature !== '' && { temperature: Number(temperature) }),
    ...(maxTokens !== '' && { max_completion_tokens: Number(maxTokens) }),
    ...(seed !== '' && { seed: Number(seed) }),
    ...(tools.trim() && { tools: JSON.parse(tools) as unknown }),
    ...(schema.trim() && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', strict: true, schema: JSON.parse(schema) as unknown },
      },
    }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

const TOOL_EXAMPLE = `[{"type": "function", "function": {"name": "weather",
  "parameters": {"type": "object", "properties": {"town": {"type": "string"}}}}}]`;
const SCHEMA_EXAMPLE = `{"type": "object", "properties": {"capital": {"type": "string"}},
 "required": ["capital"], "additionalProperties": false}`;

export function ChatSettings({
  settings,
  models,
  onChange,
}: {
  settings: Settings;
  models: string[];
  onChange: (settings: Settings) => void;
}) {
  const change = (part: Partial<Settings>) => onChange({ ...settings, ...part });
  return (
    <Panel title="Parameters">
      <Stack gap="sm">
        <Select
          label="Model"
          data={models}
          value={settings.model || null}
          allowDeselect={false}
          searchable
          onChange={(model) => change({ model: model ?? '' })}
        />
        <Textarea
          label="System message"
          autosize
          minRows={2}
          value={settings.system}
          onChange={(event) => change({ system: event.currentTarget.value })}
        />
        <NumberInput
          label="Temperature"
          description="0 to 2; the model’s own when empty"
          min={0}
          max={2}
          step={0.1}
          value={settings.temperature}
          onChange={(temperature) => change({ temperature })}
        />
        <NumberInput
          label="Longest answer, tokens"
          min={1}
          value={settings.maxTokens}
          onChange={(maxTokens) => change({ maxTokens })}
        />
        <NumberInput label="Seed" value={settings.seed} onChange={(seed) => change({ seed })} hideControls />
        <JsonInput
          label="Tools"
          description="A list of functions, as JSON"
          placeholder={TOOL_EXAMPLE}
          autosize
          minRows={3}
          maxRows={14}
          validationError="This is not JSON"
          value={settings.tools}
          onChange={(tools) => change({ tools })}
        />
        <JsonInput
          label="Schema of the answer"
          description="A JSON schema: the answer is JSON that fits it"
          placeholder={SCHEMA_EXAMPLE}
          autosize
          minRows={3}
          maxRows={14}
          validationError="This is not JSON"
          value={settings.schema}
          onChange={(schema) => change({ schema })}
        />
      </Stack>
    </Panel>
  );
}
