import { Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import type { components } from '../api/openapi.d.ts';
import { Dialog } from '../parts/ConfirmDialog.tsx';
import { DialogForm } from '../parts/DialogForm.tsx';
import { Money } from '../parts/Money.tsx';
import type { PublisherAgent, Version } from './configuration.ts';
import { isDearer, priceLines, type PriceLine } from './priceLines.ts';

export type Channel = components['schemas']['AgentChannel'];

interface Moving {
  agent: PublisherAgent;
  versions: Version[];
  /** `new` creates a channel. */
  of: Channel | 'new' | undefined;
  onClose: () => void;
}

/** Creates a channel, or points one at another version; shows how its prices change. */
export function ChannelDialog({ of, onClose, ...rest }: Moving) {
  const title = of === 'new' ? 'Create channel' : `Move ${of?.name ?? 'channel'}`;
  return (
    <Dialog title={title} isOpen={of !== undefined} onClose={onClose}>
      {of && <ChannelForm key={of === 'new' ? 'new' : of.name} of={of} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

function ChannelForm({ agent, versions, of, onClose }: Moving & { of: Channel | 'new' }) {
  const isNew = of === 'new';
  const choice = versions.filter(({ was_submitted: isKnown }) => isKnown || !agent.public_deployment);
  const [name, setName] = useState(isNew ? 'beta' : of.name);
  const [versionId, setVersionId] = useState(offeredOf(choice, isNew ? undefined : of.version_id));
  const save = useChange(
    () =>
      answerOf(
        api.PUT('/v1/publisher/agents/{agent_id}/channels/{channel}', {
          params: { path: { agent_id: agent.id, channel: name.trim() } },
          body: { version_id: versionId! },
        }),
      ),
    {
      stale: [['publisher']],
      done: isNew ? 'Channel created' : 'Channel moved',
      onSuccess: onClose,
      onError: () => {},
    },
  );
  const versionOf = (id: string | null) => versions.find((version) => version.id === id)?.configuration.pricing;
  const chosen = versionOf(versionId);
  const lines = !isNew && chosen ? priceLines(versionOf(of.version_id), chosen) : [];
  return (
    <DialogForm
      submitLabel={isNew ? 'Create channel' : 'Move channel'}
      isPending={save.isPending}
      error={save.error}
      onSubmit={() => {
        if (versionId) save.mutate(undefined);
      }}
    >
      {isNew && (
        <TextInput
          label="Name"
          description={`Callers order ${agent.namespace}/${agent.slug}@${name.trim() || 'beta'}.`}
          value={name}
          maxLength={32}
          required
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
      )}
      <Select
        label="Version"
        description="One that was approved."
        data={choice.map(({ id, version }) => ({ value: id, label: version }))}
        value={versionId}
        allowDeselect={false}
        onChange={setVersionId}
      />
      {!isNew && versionId !== of.version_id && <PriceChange lines={lines} />}
    </DialogForm>
  );
}

/** The newest version that the channel does not have yet. */
const offeredOf = (versions: Version[], present: string | undefined): string | null =>
  versions.find(({ id }) => id !== present)?.id ?? present ?? null;

/** What callers of the channel pay before and after. */
function PriceChange({ lines }: { lines: PriceLine[] }) {
  if (lines.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Its prices are the same.
      </Text>
    );
  return (
    <div>
      <dl className="price-change">
        {lines.map(({ label, from, to }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Money usd={from} /> <span aria-label="becomes">→</span> <Money usd={to} />
            </dd>
          </div>
        ))}
      </dl>
      <Text size="sm" mt="xs" c={isDearer(lines) ? undefined : 'dimmed'}>
        {isDearer(lines)
          ? 'More expensive: callers are told now, and get it in 14 days.'
          : 'No price rises: callers get it at once.'}
      </Text>
    </div>
  );
}
