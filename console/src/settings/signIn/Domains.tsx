import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { rowsFrom, useAnswer, useChange } from '../../api/hooks.ts';
import { Confirmed } from '../../parts/Confirmed.tsx';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { DataTable, type Column } from '../../parts/DataTable.tsx';
import { Form } from '../../parts/Form.tsx';
import { Panel } from '../../parts/Panel.tsx';
import { Status } from '../../parts/Status.tsx';
import { DOMAINS, PROVIDER, type MailDomain } from './shapes.ts';

/** The mail domains whose people the provider may sign in. */
export function Domains() {
  const [domain, setDomain] = useState('');
  const domains = useAnswer(DOMAINS, (signal) => api.GET('/console/v1/single-sign-on/domains', { signal }));
  const add = useChange(
    (name: string) => answerOf(api.POST('/console/v1/single-sign-on/domains', { body: { domain: name } })),
    {
      stale: [DOMAINS],
      done: 'The domain is added. Set its record next.',
      onSuccess: () => setDomain(''),
      onError: () => {},
    },
  );
  return (
    <Panel
      title="Mail domains"
      description="Your provider signs in people of these domains alone. A TXT record proves each."
    >
      <Stack className="in-order">
        <DataTable
          label="Mail domains"
          isStacked
          columns={COLUMNS}
          from={rowsFrom(domains, domains.data?.data)}
          rowKey={({ id }) => id}
          empty="No domains yet."
        />
        <Form error={add.error} onSubmit={() => add.mutate(domain.trim())}>
          <div className="setting">
            <TextInput
              label="Domain"
              placeholder="example.com"
              required
              value={domain}
              onChange={(event) => setDomain(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={add.isPending}>
              Add domain
            </Button>
          </div>
        </Form>
      </Stack>
    </Panel>
  );
}

const COLUMNS: Column<MailDomain>[] = [
  { title: 'Domain', cell: ({ domain }) => domain },
  {
    title: 'State',
    cell: ({ verified_at: at }) =>
      at === null ? <Status tone="held" word="Waits for its record" /> : <Status tone="good" word="Proved" />,
  },
  { title: 'TXT record', cell: (row) => (row.verified_at === null ? <Record of={row} /> : '') },
  { title: 'Actions', isTitleHidden: true, isNumber: true, cell: (row) => <Actions of={row} /> },
];

function Record({ of }: { of: MailDomain }) {
  return (
    <Stack gap={2}>
      <Line text={of.record_name} name="Copy the name" />
      <Line text={of.record_text} name="Copy the text" />
    </Stack>
  );
}

function Line({ text, name }: { text: string; name: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text className="id" size="xs" style={{ wordBreak: 'break-all' }}>
        {text}
      </Text>
      <CopyButton value={text} name={name} />
    </Group>
  );
}

function Actions({ of: { id, domain, verified_at } }: { of: MailDomain }) {
  const path = { params: { path: { domain_id: id } } };
  const verify = useChange(() => answerOf(api.POST('/console/v1/single-sign-on/domains/{domain_id}/verify', path)), {
    stale: [DOMAINS],
    done: `${domain} is proved`,
  });
  const remove = useChange(() => answerOf(api.DELETE('/console/v1/single-sign-on/domains/{domain_id}', path)), {
    stale: [DOMAINS, PROVIDER],
    done: `${domain} is given up`,
  });
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {verified_at === null && (
        <Button size="xs" variant="default" loading={verify.isPending} onClick={() => verify.mutate(undefined)}>
          Verify
        </Button>
      )}
      <Confirmed
        title={`Remove ${domain}?`}
        confirmLabel="Remove domain"
        change={remove}
        trigger={(ask) => (
          <Button size="xs" variant="subtle" aria-label={`Remove ${domain}`} onClick={ask}>
            Remove
          </Button>
        )}
      >
        Your provider no longer signs in people of this domain. To have it again, add and prove it anew.
      </Confirmed>
    </Group>
  );
}
