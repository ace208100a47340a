import { JsonInput, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { objectIn } from '../agents/schemaFields.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import type { HttpTool } from './configuration.ts';

const TIMEOUT_SECONDS = 60;
const TIMEOUT_SECONDS_MAX = 600;

const NEW_SCHEMA = {
  type: 'object',
  properties: { order: { type: 'string', description: 'The number of the order.' } },
  required: ['order'],
  additionalProperties: false,
};

interface Values {
  name: string;
  description: string;
  url: string;
  schema: string;
  timeout: number | string;
}

/** The form of an HTTP tool. It changes the draft, which is saved as a whole. */
export function EditHttpTool({
  from,
  taken,
  isOpen,
  onClose,
  onDone,
}: {
  from: HttpTool | undefined;
  /** The names of the other tools. */
  taken: string[];
  isOpen: boolean;
  onClose: () => void;
  onDone: (tool: HttpTool) => void;
}) {
  return (
    <Dialog title={from ? 'Edit HTTP tool' : 'Add HTTP tool'} isOpen={isOpen} onClose={onClose} size="lg">
      <Fields from={from} taken={taken} onDone={onDone} />
    </Dialog>
  );
}

function Fields({
  from,
  taken,
  onDone,
}: {
  from: HttpTool | undefined;
  taken: string[];
  onDone: (tool: HttpTool) => void;
}) {
  const form = useForm<Values>({
    initialValues: {
      name: from?.name ?? '',
      description: from?.description ?? '',
      url: from?.url ?? '',
      schema: JSON.stringify(from?.input_schema ?? NEW_SCHEMA, null, 2),
      timeout: from?.timeout_seconds ?? '',
    },
    validate: {
      name: (name) => nameFault(name.trim(), taken),
      description: (text) => (text.trim() === '' ? 'Say what it does, and when to use it.' : null),
      url: (url) => (URL.canParse(url.trim()) ? null : 'Enter a URL, such as https://tools.example.com/orders.'),
      schema: (text) => (objectIn(text) ? null : 'This is not a JSON object.'),
    },
  });
  return (
    <DialogForm
      submitLabel={from ? 'Change tool' : 'Add tool'}
      isPending={false}
      error={null}
      onSubmit={form.onSubmit((values) => onDone(toolOf(values)))}
    >
      <TextInput
        label="Name"
        description="What the model calls it"
        placeholder="find_order"
        withAsterisk
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Description"
        description="For the model: what it does, and when to use it"
        autosize
        minRows={2}
        maxRows={6}
        withAsterisk
        {...form.getInputProps('description')}
      />
      <Call form={form} />
    </DialogForm>
  );
}

/** Where a call goes, with what, and how long it may take. */
function Call({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <TextInput
        label="URL"
        description="Public and https: the arguments are posted there as JSON"
        placeholder="https://tools.example.com/orders"
        withAsterisk
        {...form.getInputProps('url')}
      />
      <JsonInput
        label="JSON schema of the arguments"
        description="An object. Your code gets only arguments that fit it"
        autosize
        minRows={4}
        maxRows={14}
        formatOnBlur
        validationError="This is not JSON"
        withAsterisk
        {...form.getInputProps('schema')}
      />
      <NumberInput
        label="Timeout"
        description="Seconds for one call with its retries"
        placeholder={String(TIMEOUT_SECONDS)}
        min={1}
        max={TIMEOUT_SECONDS_MAX}
        allowDecimal={false}
        {...form.getInputProps('timeout')}
      />
    </>
  );
}

function nameFault(name: string, taken: string[]): string | null {
  if (!/^[a-zA-Z](?:_?[a-zA-Z0-9-])*$/.test(name)) return 'Use letters, digits, hyphens and single underscores.';
  return taken.includes(name) ? 'Another tool has this name.' : null;
}

function toolOf({ name, description, url, schema, timeout }: Values): HttpTool {
  return {
    name: name.trim(),
    description: description.trim(),
    input_schema: objectIn(schema)!,
    url: url.trim(),
    timeout_seconds: timeout === '' ? null : Number(timeout),
  };
}
