import { ActionIcon, Button, Group, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { Cross2Icon } from '@radix-ui/react-icons';
import { answerOf, api } from '../../api/client.ts';
import { useChange } from '../../api/hooks.ts';
import { DialogForm } from '../../parts/DialogForm.tsx';
import { PROVIDER, ROLES, type IdentityProvider, type NewIdentityProvider, type Role } from './shapes.ts';

interface Values {
  kind: 'oidc' | 'saml';
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string;
  metadata: string;
  emailAttribute: string;
  nameAttribute: string;
  groupsName: string;
  groupRoles: { group: string; role: Role }[];
  defaultRole: Role | 'none';
}

type Form = UseFormReturnType<Values>;

/** Sets the provider up, or changes it. */
export function ProviderForm({ from, onDone }: { from: IdentityProvider | null; onDone: () => void }) {
  const form = useForm<Values>({ initialValues: valuesOf(from) });
  const save = useChange((body: NewIdentityProvider) => answerOf(api.PUT('/console/v1/single-sign-on', { body })), {
    stale: [PROVIDER],
    done: 'The provider is saved. Try it next.',
    onSuccess: onDone,
    onError: () => {},
  });
  return (
    <DialogForm
      submitLabel="Save provider"
      isPending={save.isPending}
      error={save.error}
      onSubmit={form.onSubmit((values) => save.mutate(bodyOf(values)))}
    >
      <SegmentedControl
        fullWidth
        aria-label="Protocol"
        data={[
          { value: 'oidc', label: 'OpenID Connect' },
          { value: 'saml', label: 'SAML 2.0' },
        ]}
        {...form.getInputProps('kind')}
      />
      <TextInput label="Name" placeholder="Example ID" required maxLength={60} {...form.getInputProps('name')} />
      {form.values.kind === 'oidc' ? (
        <OidcFields form={form} hasSecret={from?.kind === 'oidc'} />
      ) : (
        <SamlFields form={form} />
      )}
      <Roles form={form} />
    </DialogForm>
  );
}

function OidcFields({ form, hasSecret }: { form: Form; hasSecret: boolean }) {
  return (
    <>
      <TextInput
        label="Issuer"
        placeholder="https://id.example.com/realms/staff"
        description="Exactly as the provider names itself."
        required
        {...form.getInputProps('issuer')}
      />
      <TextInput label="Client ID" required {...form.getInputProps('clientId')} />
      <TextInput
        label="Client secret"
        type="password"
        autoComplete="off"
        required={!hasSecret}
        placeholder={hasSecret ? 'as before' : undefined}
        {...form.getInputProps('clientSecret')}
      />
      <TextInput
        label="Scopes"
        description="Okta sends groups for the scope groups."
        required
        {...form.getInputProps('scopes')}
      />
    </>
  );
}

function SamlFields({ form }: { form: Form }) {
  return (
    <>
      <Textarea
        label="Metadata"
        description="The provider’s metadata as XML, or the https address at which they are."
        required
        autosize
        minRows={3}
        maxRows={8}
        {...form.getInputProps('metadata')}
      />
      <Group grow align="flex-start">
        <TextInput label="Attribute of the address" placeholder="email" {...form.getInputProps('emailAttribute')} />
        <TextInput label="Attribute of the name" placeholder="displayName" {...form.getInputProps('nameAttribute')} />
      </Group>
    </>
  );
}

/** The roles that groups give. */
function Roles({ form }: { form: Form }) {
  const { kind, groupRoles } = form.values;
  return (
    <Stack gap="xs">
      <TextInput
        label={kind === 'oidc' ? 'Claim with the groups' : 'Attribute with the groups'}
        placeholder="groups"
        {...form.getInputProps('groupsName')}
      />
      {groupRoles.map((_, index) => (
        <Group key={form.key(`groupRoles.${index}`)} wrap="nowrap" gap="xs" align="flex-end">
          <TextInput
            aria-label={`Group ${index + 1}`}
            placeholder="ledgerline-admins"
            required
            flex={1}
            {...form.getInputProps(`groupRoles.${index}.group`)}
          />
          <Select
            aria-label={`Role of group ${index + 1}`}
            data={ROLES}
            allowDeselect={false}
            w={150}
            {...form.getInputProps(`groupRoles.${index}.role`)}
          />
          <ActionIcon
            variant="subtle"
            size="lg"
            aria-label={`Remove group ${index + 1}`}
            onClick={() => form.removeListItem('groupRoles', index)}
          >
            <Cross2Icon />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          onClick={() => form.insertListItem('groupRoles', { group: '', role: 'developer' })}
        >
          Add group
        </Button>
      </Group>
      <Select
        mt="xs"
        label="Everybody else"
        data={[{ value: 'none', label: 'No access' }, ...ROLES]}
        allowDeselect={false}
        {...form.getInputProps('defaultRole')}
      />
      <Text size="xs" c="dimmed">
        Roles follow the groups at each sign-in. Members who then have no role are removed.
      </Text>
    </Stack>
  );
}

const valuesOf = (from: IdentityProvider | null): Values => ({
  kind: from?.kind ?? 'oidc',
  name: from?.name ?? '',
  issuer: from?.kind === 'oidc' ? from.issuer : '',
  clientId: from?.client_id ?? '',
  clientSecret: '',
  scopes: from?.scopes?.join(' ') ?? 'openid email profile',
  metadata: '',
  emailAttribute: from?.email_attribute ?? '',
  nameAttribute: from?.name_attribute ?? '',
  groupsName: from?.groups_name ?? '',
  groupRoles: from?.group_roles ?? [],
  defaultRole: from?.default_role ?? 'none',
});

const orNull = (text: string): string | null => text.trim() || null;

function bodyOf(values: Values): NewIdentityProvider {
  const common = {
    name: values.name,
    groups_name: orNull(values.groupsName),
    group_roles: values.groupRoles,
    default_role: values.defaultRole === 'none' ? null : values.defaultRole,
  };
  if (values.kind === 'oidc')
    return {
      ...common,
      kind: 'oidc',
      issuer: values.issuer.trim(),
      client_id: values.clientId.trim(),
      scopes: values.scopes.trim().split(/\s+/),
      ...(values.clientSecret !== '' && { client_secret: values.clientSecret }),
    };
  const metadata = values.metadata.trim();
  return {
    ...common,
    kind: 'saml',
    ...(metadata.startsWith('https://') ? { metadata_url: metadata } : { metadata_xml: metadata }),
    email_attribute: orNull(values.emailAttribute),
    name_attribute: orNull(values.nameAttribute),
  };
}
