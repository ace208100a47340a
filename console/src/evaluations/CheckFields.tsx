import { Checkbox, NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { TrashIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { useModels } from '../api/models.ts';
import { IconAction } from '../parts/IconAction.tsx';
import { CHECK_NAMES, newCheck, OPERATIONS, type Check } from './evaluations.ts';

const KINDS = Object.entries(CHECK_NAMES).map(([value, label]) => ({ value, label }));
const WAYS = Object.entries(OPERATIONS).map(([value, label]) => ({ value, label }));

/** The fields of one check. */
export function CheckFields({
  check,
  label,
  onChange,
  onRemove,
}: {
  check: Check;
  label: string;
  onChange: (check: Check) => void;
  onRemove: (() => void) | undefined;
}) {
  return (
    <fieldset className="plain-fieldset check-editor">
      <legend className="for-readers">{label}</legend>
      <div className="check-head">
        <Select
          label={label}
          data={KINDS}
          allowDeselect={false}
          value={check.type}
          onChange={(type) => type && onChange(newCheck(type as Check['type']))}
        />
        {onRemove && (
          <IconAction tip="Remove" name={`Remove ${label.toLowerCase()}`} onClick={onRemove}>
            <TrashIcon aria-hidden />
          </IconAction>
        )}
      </div>
      <Fields check={check} onChange={onChange} />
    </fieldset>
  );
}

function Fields({ check, onChange }: { check: Check; onChange: (check: Check) => void }) {
  switch (check.type) {
    case 'string_check':
      return (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
            <Select
              label="The output"
              data={WAYS}
              allowDeselect={false}
              value={check.operation}
              onChange={(operation) => onChange({ ...check, operation: operation as typeof check.operation })}
            />
            <TextInput
              label="Reference"
              required
              value={check.reference}
              onChange={(event) => onChange({ ...check, reference: event.currentTarget.value })}
            />
          </SimpleGrid>
          <Checkbox
            label="Ignore upper and lower case"
            checked={check.ignore_case}
            onChange={(event) => onChange({ ...check, ignore_case: event.currentTarget.checked })}
          />
        </>
      );
    case 'json_schema':
      return <SchemaField schema={check.schema} onChange={(schema) => onChange({ ...check, schema })} />;
    case 'score_model':
      return <JudgeFields check={check} onChange={onChange} />;
    case 'tool_called':
      return (
        <TextInput
          label="Tool"
          required
          value={check.tool}
          onChange={(event) => onChange({ ...check, tool: event.currentTarget.value })}
        />
      );
    case 'cost':
      return (
        <NumberInput
          label="At most, in USD"
          description="At the platform’s prices, as test runs are billed."
          prefix="$"
          min={0}
          decimalScale={9}
          hideControls
          value={check.max_cost_usd}
          onChange={(usd) => onChange({ ...check, max_cost_usd: Number(usd) })}
        />
      );
    case 'latency':
      return (
        <NumberInput
          label="At most, in seconds"
          min={0}
          max={3600}
          hideControls
          value={check.max_seconds}
          onChange={(seconds) => onChange({ ...check, max_seconds: Number(seconds) })}
        />
      );
    default:
      return check satisfies never;
  }
}

type Judge = Extract<Check, { type: 'score_model' }>;

function JudgeFields({ check, onChange }: { check: Judge; onChange: (check: Check) => void }) {
  const models = useModels().data?.data.filter(({ kind }) => kind === 'text') ?? [];
  return (
    <>
      <Textarea
        label="Rubric"
        placeholder="The answer names the city, and does not guess."
        required
        autosize
        minRows={2}
        maxRows={8}
        value={check.rubric}
        onChange={(event) => onChange({ ...check, rubric: event.currentTarget.value })}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
        <Select
          label="Model"
          placeholder="The platform’s for agents"
          data={models.map(({ id }) => id)}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'The platform’s for agents' }}
          value={check.model}
          onChange={(model) => onChange({ ...check, model })}
        />
        <NumberInput
          label="Passes from, 0 to 1"
          min={0}
          max={1}
          step={0.1}
          decimalScale={2}
          value={check.pass_threshold}
          onChange={(threshold) => onChange({ ...check, pass_threshold: Number(threshold) })}
        />
      </SimpleGrid>
    </>
  );
}

/** A schema as JSON. While it is none, the check keeps the last one. */
function SchemaField({
  schema,
  onChange,
}: {
  schema: Record<string, unknown>;
  onChange: (schema: Record<string, unknown>) => void;
}) {
  const [text, setText] = useState(() => JSON.stringify(schema, null, 2));
  const [isWrong, setWrong] = useState(false);
  const change = (next: string) => {
    setText(next);
    try {
      onChange(JSON.parse(next) as Record<string, unknown>);
      setWrong(false);
    } catch {
      setWrong(true);
    }
  };
  return (
    <Textarea
      label="Schema of the output’s data"
      error={isWrong && 'This is no JSON.'}
      autosize
      minRows={4}
      maxRows={12}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
