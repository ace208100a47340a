import { Checkbox, JsonInput, NumberInput, Select, SimpleGrid, Stack, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { objectIn } from '../agents/schemaFields.ts';
import { useModels } from '../api/models.ts';
import { CompactionSettings } from './CompactionSettings.tsx';
import type { DraftPart } from './configuration.ts';

type SchemaName = 'input_schema' | 'output_schema';

/** How the agent uses its model, and the types of its input and output. Empty fields mean the platform's default. */
export function ModelSettings({ draft, errorOf, onChange }: DraftPart) {
  const models = useModels().data?.data.filter(({ kind }) => kind === 'text') ?? [];
  const amount = (name: 'max_steps' | 'temperature', value: number | string) =>
    onChange({ [name]: value === '' ? null : Number(value) });
  return (
    <fieldset className="plain-fieldset">
      <legend>Model</legend>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label="Model"
            description="Sets what a run costs the platform"
            placeholder="Platform default"
            clearable
            data={models.map(({ id }) => id)}
            value={draft.model ?? null}
            error={errorOf('model')}
            onChange={(model) => onChange({ model })}
          />
          <Select
            label="Tool choice"
            description="Whether the first step must call a tool"
            placeholder="Auto"
            clearable
            data={['required', ...draft.tools, ...(draft.http_tools ?? []).map(({ name }) => name)]}
            value={draft.tool_choice ?? null}
            error={errorOf('tool_choice')}
            onChange={(choice) => onChange({ tool_choice: choice })}
          />
          <NumberInput
            label="Max steps"
            description="Model calls per run"
            placeholder="32"
            min={1}
            max={1000}
            value={draft.max_steps ?? ''}
            error={errorOf('max_steps')}
            onChange={(value) => amount('max_steps', value)}
          />
          <NumberInput
            label="Temperature"
            description="0 to 2; higher is more varied"
            placeholder="Model default"
            min={0}
            max={2}
            step={0.1}
            value={draft.temperature ?? ''}
            error={errorOf('temperature')}
            onChange={(value) => amount('temperature', value)}
          />
        </SimpleGrid>
        <CompactionSettings {...{ draft, errorOf, onChange }} />
        <CalledAgents {...{ draft, errorOf, onChange }} />
        <Schemas {...{ draft, errorOf, onChange }} />
        <Checkbox
          label="Callers may send a JSON schema of their own"
          checked={draft.accepts_response_format ?? false}
          onChange={(event) => onChange({ accepts_response_format: event.currentTarget.checked })}
        />
      </Stack>
    </fieldset>
  );
}

/** The types of what it takes and returns. */
function Schemas(part: DraftPart) {
  return (
    <>
      <Schema
        label="JSON schema of the input"
        description="An object. Runs then take data that fits it instead of text, and callers get a form"
        name="input_schema"
        {...part}
      />
      <Schema
        label="JSON schema of the output"
        description="An object. A run completes only with data that fits it"
        name="output_schema"
        {...part}
      />
    </>
  );
}

/** The agents that the agent may call. */
function CalledAgents({ draft, errorOf, onChange }: DraftPart) {
  return (
    <TagsInput
      label="Agents it may call"
      description="As namespace/name. Their runs count against the max cost of the calling run"
      placeholder="acme/poet"
      maxTags={16}
      value={draft.agents ?? []}
      error={errorOf('agents')}
      onChange={(agents) => onChange({ agents })}
    />
  );
}

/** A schema as text. The draft changes with each text that is a JSON object, and with an empty text. */
function Schema({
  name,
  draft,
  errorOf,
  onChange,
  ...labels
}: DraftPart & { name: SchemaName; label: string; description: string }) {
  const [text, setText] = useState(draft[name] ? JSON.stringify(draft[name], null, 2) : '');
  return (
    <JsonInput
      {...labels}
      autosize
      minRows={3}
      maxRows={20}
      formatOnBlur
      validationError="This is not JSON"
      value={text}
      error={errorOf(name)}
      onChange={(value) => {
        setText(value);
        const schema = value.trim() === '' ? null : objectIn(value);
        if (schema !== undefined) onChange({ [name]: schema });
      }}
    />
  );
}
