import { SegmentedControl, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { components } from '../api/openapi.d.ts';
import { SchemaForm } from './SchemaForm.tsx';
import { fieldsOf, objectIn } from './schemaFields.ts';

type Agent = components['schemas']['Agent'];

/** The members of an agent that the form of a run needs; a draft has no more. */
export type Tried = Pick<Agent, 'id' | 'input'> &
  Partial<Pick<Agent, 'input_schema' | 'example_prompts'>> & {
    pricing: Pick<Agent['pricing'], 'minimum_cost_usd' | 'maximum_cost_usd'>;
  };

/** The input of a run: a text, or the form of the agent's JSON schema; its examples fill it in. */
export function OrderInput({
  agent,
  text,
  onChange,
}: {
  agent: Tried;
  text: string;
  onChange: (text: string) => void;
}) {
  const { input, input_schema: schema, example_prompts: examples = [] } = agent;
  const hasForm = input.data && Boolean(schema) && fieldsOf(schema!).length > 0;
  const [isJson, setJson] = useState(!hasForm);
  // What is not an object cannot be shown in the form.
  const isForm = hasForm && !isJson && (text.trim() === '' || objectIn(text) !== undefined);
  return (
    <Stack gap="xs">
      {examples.length > 0 && (
        <div className="order-examples" role="group" aria-label="Examples">
          {examples.map((example) => (
            <button
              key={example}
              type="button"
              className="order-example"
              title={example}
              onClick={() => onChange(input.data ? formatted(example) : example)}
            >
              {example}
            </button>
          ))}
        </div>
      )}
      {hasForm && (
        <SegmentedControl
          aria-label="Input as"
          size="xs"
          w="fit-content"
          data={[
            { value: 'form', label: 'Form' },
            { value: 'json', label: 'JSON' },
          ]}
          value={isForm ? 'form' : 'json'}
          onChange={(value) => setJson(value === 'json')}
        />
      )}
      {isForm ? (
        <SchemaForm key={text === '' ? 'empty' : 'form'} schema={schema!} text={text} onChange={onChange} />
      ) : (
        <Textarea
          data-param="input"
          label={input.data ? 'Input, as JSON' : 'What should it do?'}
          placeholder={examples[0]}
          autosize
          minRows={3}
          maxRows={16}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Stack>
  );
}

/** The first example as JSON, with which the form begins. */
export const exampleText = ({ example_prompts: examples }: Pick<Tried, 'example_prompts'>): string =>
  examples?.[0] === undefined ? '' : formatted(examples[0]);

function formatted(example: string): string {
  const value = objectIn(example);
  return value ? JSON.stringify(value, null, 2) : example;
}
