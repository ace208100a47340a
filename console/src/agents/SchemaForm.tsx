import '../parts/work.css';
import {
  Checkbox,
  JsonInput,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { fieldsOf, objectIn, type SchemaField } from './schemaFields.ts';

/** Data as a form made of its JSON schema: the input of an agent, or an answer to it. `text` is the data as JSON. */
export function SchemaForm({
  schema,
  text,
  onChange,
}: {
  schema: object;
  text: string;
  onChange: (text: string) => void;
}) {
  const fields = fieldsOf(schema);
  const value = objectIn(text) ?? {};
  const set = (name: string, part: unknown) => onChange(JSON.stringify({ ...value, [name]: part }, null, 2));
  return (
    <div className="schema-fields">
      {fields.map((field) => (
        <Field key={field.name} field={field} value={value[field.name]} onChange={(part) => set(field.name, part)} />
      ))}
    </div>
  );
}

function Field({
  field: { name, label, kind, inputType, description, isRequired, options },
  value,
  onChange,
}: {
  field: SchemaField;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const common = { 'data-param': name, label, description, required: isRequired };
  const text = typeof value === 'string' ? value : '';
  const write = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value || undefined);
  switch (kind) {
    case 'choice':
      return (
        <Select
          {...common}
          data={options}
          value={typeof value === 'string' ? value : null}
          clearable={!isRequired}
          clearButtonProps={{ 'aria-label': 'Clear' }}
          onChange={(chosen) => onChange(chosen ?? undefined)}
        />
      );
    case 'choices':
      return <MultiSelect {...common} data={options} value={textsIn(value)} onChange={onChange} />;
    case 'boolean':
      return <CheckField {...{ 'data-param': name, label, description, value, onChange }} />;
    case 'number':
      return (
        <NumberInput
          {...common}
          hideControls
          value={typeof value === 'number' ? value : ''}
          onChange={(number) => onChange(number === '' ? undefined : Number(number))}
        />
      );
    case 'texts':
      return <TagsInput {...common} placeholder="Enter after each" value={textsIn(value)} onChange={onChange} />;
    case 'long':
      return <Textarea {...common} autosize minRows={2} value={text} onChange={write} />;
    case 'text':
      return <TextInput {...common} type={inputType} value={text} onChange={write} />;
    case 'json':
      return <JsonField {...common} value={value} onChange={onChange} />;
    default:
      return kind satisfies never;
  }
}

function CheckField({
  value,
  onChange,
  ...labels
}: {
  'data-param': string;
  label: string;
  description: string | undefined;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  return (
    <Checkbox {...labels} mt={4} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
  );
}

const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** A member without a control of its own, as JSON. */
function JsonField({
  value,
  onChange,
  ...labels
}: {
  'data-param': string;
  label: string;
  description: string | undefined;
  required: boolean;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value, null, 2));
  return (
    <Stack gap={0}>
      <JsonInput
        {...labels}
        autosize
        minRows={2}
        validationError="This is not JSON"
        value={text}
        onChange={(written) => {
          setText(written);
          try {
            onChange(written.trim() === '' ? undefined : (JSON.parse(written) as unknown));
          } catch {
            // Not finished yet.
          }
        }}
      />
    </Stack>
  );
}
