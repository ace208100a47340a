import { Group, NumberInput, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import type { KeyValues } from './keyValues.ts';

/** Limits of rate, time, place and upstreams. Folded while none is set; an error opens them. */
export function AdvancedLimits({ form }: { form: UseFormReturnType<KeyValues> }) {
  const { rpm, concurrency, expiresAt, allowedIps, noRetention } = form.values;
  const hasAny = [rpm, concurrency, expiresAt].some((one) => one !== '') || allowedIps.length > 0 || noRetention;
  const [isOpen, setOpen] = useState(hasAny);
  const isShown = isOpen || form.errors.rpm !== undefined || form.errors.concurrency !== undefined;
  return (
    <details className="key-advanced" open={isShown} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Rate limits, expiry, IP addresses, retention</summary>
      {/* Not drawn while folded: they take as long as the rest of the form. */}
      {isShown && <Fields form={form} />}
    </details>
  );
}

function Fields({ form }: { form: UseFormReturnType<KeyValues> }) {
  return (
    <Stack mt="sm">
      <Group grow align="flex-start">
        <NumberInput
          label="Requests per minute"
          placeholder="Default"
          min={1}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('rpm')}
        />
        <NumberInput
          label="Concurrent requests"
          placeholder="Default"
          min={1}
          allowDecimal={false}
          hideControls
          {...form.getInputProps('concurrency')}
        />
      </Group>
      <TextInput
        type="datetime-local"
        label="Expires"
        description="Leave empty for never"
        {...form.getInputProps('expiresAt')}
      />
      <TagsInput
        label="Allowed IP addresses"
        description="Addresses or ranges, such as 192.0.2.0/24. Leave empty for any"
        placeholder="Type one and press Enter"
        acceptValueOnBlur
        {...form.getInputProps('allowedIps')}
      />
      <Switch
        label="Only upstreams that keep nothing of its calls"
        description="Calls that no such upstream serves are refused"
        {...form.getInputProps('noRetention', { type: 'checkbox' })}
      />
    </Stack>
  );
}
