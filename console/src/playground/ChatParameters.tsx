import { JsonInput, NumberInput, SegmentedControl, TagsInput, Textarea, type InputWrapperProps } from '@mantine/core';
import { Fold } from './Fold.tsx';
import { UNSET, type Parameters } from './parameters.ts';
import { SliderField } from './SliderField.tsx';
import type { Limit, Limits } from './supported.ts';

interface Settings {
  parameters: Parameters;
  /** What the chosen models do not support. */
  limits: Limits;
  /** Of the chosen models, the least. */
  outputTokensMax: number;
  onChange: (change: Partial<Parameters>) => void;
}

/** All parameters of a chat, in folds. */
export function ChatParameters({ outputTokensMax, ...part }: Settings) {
  const { parameters, onChange } = part;
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
      <Sampling {...part} outputTokensMax={outputTokensMax} />
      <Penalties {...part} />
      <Format {...part} />
      <Tools {...part} />
    </div>
  );
}

function Sampling({ parameters, limits, outputTokensMax, onChange }: Settings) {
  return (
    <Fold title="Sampling" isOpen>
      <SliderField
        label="Temperature"
        min={0}
        max={2}
        step={0.05}
        rest={1}
        value={parameters.temperature}
        limit={limits.temperature}
        onChange={(temperature) => onChange({ temperature })}
      />
      <SliderField
        label="Top P"
        min={0}
        max={1}
        step={0.01}
        rest={1}
        value={parameters.topP}
        limit={limits.topP}
        onChange={(topP) => onChange({ topP })}
      />
      <SliderField
        label="Max tokens"
        min={1}
        max={outputTokensMax}
        step={1}
        rest={outputTokensMax}
        value={parameters.maxTokens}
        limit={limits.maxTokens}
        onChange={(maxTokens) => onChange({ maxTokens })}
      />
    </Fold>
  );
}

const BELOW: NonNullable<InputWrapperProps['inputWrapperOrder']> = ['label', 'input', 'description'];

type Part = Omit<Settings, 'outputTokensMax'>;

function Penalties({ parameters, limits, onChange }: Part) {
  const { frequencyPenalty, presencePenalty, seed, stop } = parameters;
  const names = ['frequencyPenalty', 'presencePenalty', 'seed', 'stop'] as const;
  const set = names.filter((name) => parameters[name].toString() !== '' && !limits[name]?.isDisabled).length;
  return (
    <Fold title="Penalties, seed, stop" note={set > 0 ? `${set} set` : undefined}>
      <SliderField
        label="Frequency penalty"
        min={-2}
        max={2}
        step={0.1}
        rest={0}
        value={frequencyPenalty}
        limit={limits.frequencyPenalty}
        onChange={(value) => onChange({ frequencyPenalty: value })}
      />
      <SliderField
        label="Presence penalty"
        min={-2}
        max={2}
        step={0.1}
        rest={0}
        value={presencePenalty}
        limit={limits.presencePenalty}
        onChange={(value) => onChange({ presencePenalty: value })}
      />
      <NumberInput
        label="Seed"
        placeholder="Random"
        hideControls
        allowDecimal={false}
        disabled={limits.seed?.isDisabled}
        description={limits.seed?.reason}
        inputWrapperOrder={BELOW}
        value={limits.seed?.isDisabled ? '' : seed}
        onChange={(value) => onChange({ seed: value === '' ? '' : Number(value) })}
      />
      <TagsInput
        label="Stop sequences"
        placeholder={stop.length === 0 ? 'Type one, press Enter' : undefined}
        maxTags={4}
        disabled={limits.stop?.isDisabled}
        description={limits.stop?.reason}
        inputWrapperOrder={BELOW}
        value={limits.stop?.isDisabled ? [] : stop}
        onChange={(value) => onChange({ stop: value })}
      />
    </Fold>
  );
}

const noteOf = (limit: Limit | undefined, set: string | undefined) =>
  limit?.isDisabled ? <span className="fold-note-quiet">Not supported</span> : set;

const FORMATS = [
  { value: 'text', label: 'Text' },
  { value: 'json_object', label: 'JSON' },
  { value: 'json_schema', label: 'JSON schema' },
] as const;

const SCHEMA_EXAMPLE = `{"type": "object", "properties": {"capital": {"type": "string"}},
 "required": ["capital"], "additionalProperties": false}`;

function Format({ parameters, limits, onChange }: Part) {
  const limit = limits.format;
  const { format, schema } = limit?.isDisabled ? UNSET : parameters;
  return (
    <Fold
      title="Response format"
      note={noteOf(limit, FORMATS.find(({ value }) => value === format && value !== 'text')?.label)}
    >
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label="Response format"
        disabled={limit?.isDisabled}
        data={[...FORMATS]}
        value={format}
        onChange={(value) => onChange({ format: value })}
      />
      {limit && <p className="parameter-limit">{limit.reason}</p>}
      {format === 'json_schema' && (
        <JsonInput
          label="JSON schema"
          description="The answer is JSON of this form."
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

function Tools({ parameters, limits, onChange }: Part) {
  const limit = limits.tools;
  const { tools } = limit?.isDisabled ? UNSET : parameters;
  return (
    <Fold title="Tools" note={noteOf(limit, tools.trim() ? 'Set' : undefined)}>
      <JsonInput
        label="Functions"
        description={limit?.reason ?? 'A JSON list. You enter the result of each call yourself.'}
        disabled={limit?.isDisabled}
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
