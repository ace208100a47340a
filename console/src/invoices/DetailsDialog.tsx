import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { sendJson } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import type { BillingDetails } from '../api/shapes.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { countries, taxIdTypes } from './countries.ts';

const TEXTS = ['company', 'line1', 'line2', 'city', 'region', 'postal_code', 'purchase_order', 'email'] as const;

type Values = Record<(typeof TEXTS)[number] | 'taxId', string> & { country: string | null; taxIdType: string | null };

/** Changes what the next invoices say about the workspace. */
export function DetailsDialog({
  details,
  isOpen,
  onClose,
}: {
  details: BillingDetails;
  isOpen: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog title="Billing details" isOpen={isOpen} onClose={onClose} size="lg">
      {isOpen && <DetailsForm details={details} onDone={onClose} />}
    </Dialog>
  );
}

function DetailsForm({ details, onDone }: { details: BillingDetails; onDone: () => void }) {
  const form = useForm<Values>({
    initialValues: valuesOf(details),
    validate: {
      taxIdType: (type, { taxId }) => (taxId.trim() !== '' && type === null ? 'Choose the type of the number' : null),
    },
  });
  const save = useChange((values: Values) => sendJson('/platform/v1/billing/details', bodyOf(values), 'PATCH'), {
    stale: [['billing-details']],
    done: 'Billing details saved',
    onSuccess: onDone,
    onError: () => {},
  });
  const input = (name: keyof Values) => form.getInputProps(name);
  return (
    <DialogForm
      submitLabel="Save details"
      isPending={save.isPending}
      error={save.error}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
    >
      <TextInput label="Company" autoComplete="organization" {...input('company')} />
      <TextInput label="Address" autoComplete="address-line1" {...input('line1')} />
      <TextInput aria-label="Address, second line" autoComplete="address-line2" {...input('line2')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput label="Postal code" autoComplete="postal-code" {...input('postal_code')} />
        <TextInput label="City" autoComplete="address-level2" {...input('city')} />
        <TextInput label="State or province" autoComplete="address-level1" {...input('region')} />
        <Select label="Country" searchable clearable data={countries()} {...input('country')} />
        <Select
          label="Type of tax number"
          searchable
          clearable
          data={taxIdTypes(form.values.country)}
          {...input('taxIdType')}
        />
        <TextInput label="Tax number" {...input('taxId')} />
        <TextInput label="Purchase order" description="Stands on each invoice." {...input('purchase_order')} />
        <TextInput
          label="Accounts payable"
          description="The mail address that gets the invoices."
          type="email"
          {...input('email')}
        />
      </SimpleGrid>
    </DialogForm>
  );
}

const valuesOf = ({ tax_id: taxId, country, ...details }: BillingDetails): Values => ({
  ...(Object.fromEntries(TEXTS.map((name) => [name, details[name] ?? ''])) as Record<(typeof TEXTS)[number], string>),
  country,
  taxIdType: taxId?.type ?? null,
  taxId: taxId?.value ?? '',
});

function bodyOf({ country, taxIdType, taxId, ...texts }: Values) {
  const sent = Object.fromEntries(TEXTS.map((name) => [name, texts[name].trim() || null]));
  const value = taxId.trim();
  return { ...sent, country, tax_id: taxIdType !== null && value !== '' ? { type: taxIdType, value } : null };
}
