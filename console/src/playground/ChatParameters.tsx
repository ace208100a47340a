import { JsonInput, NumberInput, SegmentedControl, TagsInput, Textarea } from '@mantine/core';
import { Fold } from './Fold.tsx';
import type { Parameters } from './parameters.ts';
import { SliderField } from './SliderField.tsx';

interface Settings {
  parameters: Parameters;
  /** Of the chosen models, the least. */
  outputTokensMax: number;
  onChange: (change: Partial<Parameters>) => void;
}

/** All parameters of a chat, in folds. */
export function ChatParameters({ parameters, outputTokensMax, onChange }: Settings) {
  return (
    <div className="folds">
      <Fold title="System prompt" isOpen note={parameters.system.trim() ? 'Set' : undefined}>
        <Textarea
          aria-label="System prompt"
          placeholder="You are a careful assistant. Answer in one sentence."
          autosize
          minRows={3}
          maxRows={12}
          value={parameters.system}
          onChange={(event) => onChange({ system: event.currentTarget.value })}
        />
      </Fold>
      <Sampling parameters={parameters} outputTokensMax={outputTokensMax} onChange={onChange} />
      <Penalties parameters={parameters} onChange={onChange} />
      <Format parameters={parameters} onChange={onChange} />
      <Tools parameters={parameters} onChange={onChange} />
    </div>
  );
}

function Sampling({ parameters, outputTokensMax, onChange }: Settings) {
  return (
    <Fold title="Sampling" isOpen>
      <SliderField
        label="Temperature"
        min={0}
        max={2}
        step={0.05}
        rest={1}
        value={parameters.temperature}
        onChange={(temperature) => onChange({ temperature })}
      />
      <SliderField
        label="Top P"
        min={0}
        max={1}
        step={0.01}
        rest={1}
        value={parameters.topP}
        onChange={(topP) => onChange({ topP })}
      />
      <SliderField
        label="Max tokens"
        min={1}
        max={outputTokensMax}
        step={1}
        rest={outputTokensMax}
        value={parameters.maxTokens}
        onChange={(maxTokens) => onChange({ maxTokens })}
      />
    </Fold>
  );
}

type Part = Pick<Settings, 'parameters' | 'onChange'>;

function Penalties({ parameters, onChange }: Part) {
  const { frequencyPenalty, presencePenalty, seed, stop } = parameters;
  const count = [frequencyPenalty, presencePenalty, seed].filter((value) => value !== '').length;
  const set = count + (stop.length > 0 ? 1 : 0);
  return (
    <Fold title="Penalties, seed, stop" note={set > 0 ? `${set} set` : undefined}>
      <SliderField
        label="Frequency penalty"
        min={-2}
        max={2}
        step={0.1}
        rest={0}
        value={frequencyPenalty}
        onChange={(value) => onChange({ frequencyPenalty: value })}
      />
      <SliderField
        label="Presence penalty"
        min={-2}
        max={2}
        step={0.1}
        rest={0}
        value={presencePenalty}
        onChange={(value) => onChange({ presencePenalty: value })}
      />
      <NumberInput
        label="Seed"
        placeholder="Random"
        hideControls
        allowDecimal={false}
        value={seed}
        onChange={(value) => onChange({ seed: value === '' ? '' : Number(value) })}
      />
      <TagsInput
        label="Stop sequences"
        placeholder={stop.length === 0 ? 'Type one, press Enter' : undefined}
        maxTags={4}
        value={stop}
        onChange={(value) => onChange({ stop: value })}
      />
    </Fold>
  );
}

const FORMATS = [
  { value: 'text', label: 'Text' },
  { value: 'json_object', label: 'JSON' },
  { value: 'json_schema', label: 'JSON schema' },
] as const;

const SCHEMA_EXAMPLE = `{"type": "object", "properties": {"capital": {"type": "string"}},
 "required": ["capital"], "additionalProperties": false}`;

function Format({ parameters: { format, schema }, onChange }: Part) {
  return (
    <Fold
      title="Response format"
      note={format === 'text' ? undefined : FORMATS.find(({ value }) => value === format)?.label}
    >
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Response format"
        data={[...FORMATS]}
        value={format}
        onChange={(value) => onChange({ format: value })}
      />
      {format === 'json_schema' && (
        <JsonInput
          label="JSON schema"
          description="The answer is JSON that fits it."
          placeholder={SCHEMA_EXAMPLE}
          autosize
          minRows={4}
          maxRows={16}
          validationError="Not JSON"
          classNames={{ input: 'json-input' }}
          value={schema}
          onChange={(value) => onChange({ schema: value })}
        />
      )}
    </Fold>
  );
}

const TOOL_EXAMPLE = `[{"type": "function", "function": {"name": "weather",
  "parameters": {"type": "object",
    "properties": {"town": {"type": "string"}}}}}]`;

function Tools({ parameters: { tools }, onChange }: Part) {
  return (
    <Fold title="Tools" note={tools.trim() ? 'Set' : undefined}>
      <JsonInput
        label="Functions"
        description="A JSON list. You answer the calls of the model by hand."
        placeholder={TOOL_EXAMPLE}
        autosize
        minRows={4}
        maxRows={16}
        validationError="Not JSON"
        classNames={{ input: 'json-input' }}
        value={tools}
        onChange={(value) => onChange({ tools: value })}
      />
    </Fold>
  );
}
