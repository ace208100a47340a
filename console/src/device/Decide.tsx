import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';
import { Form } from '../parts/Form.tsx';
import { Panel } from '../parts/Panel.tsx';
import {
  approvalOf,
  firstPlace,
  given,
  firstScopes,
  keyNameOf,
  placesOf,
  type Place,
  type Approval,
  type GrantValues,
  type Login,
} from './grant.ts';
import { GrantFields } from './GrantFields.tsx';
import { Program } from './Program.tsx';

type Ending = { login: Login; onEnd: (status: Login['status']) => void };

/** Approves or denies a login. */
export function Decide({ login, onEnd }: Ending) {
  const me = useMe();
  const places = placesOf(login);
  const first = firstPlace(places, me);
  const [isCompared, setCompared] = useState(false);
  const form = useForm<GrantValues>({
    initialValues: {
      place: first?.value ?? '',
      name: keyNameOf(login),
      project: first?.projects[0]?.id ?? null,
      scopes: firstScopes(login),
      days: '90',
      spendLimit: '',
      period: 'monthly',
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name, such as where it is used.' : null),
      scopes: (scopes, { place: at }) =>
        given(scopes, placeAt(places, at)).length > 0 ? null : 'Choose at least one.',
      spendLimit: (usd) => (usd !== '' && Number(usd) < 0 ? 'At least $0.' : null),
    },
  });
  const place = placeAt(places, form.values.place);
  const { approve, deny } = useDecision(login, onEnd);
  return (
    <Form
      error={approve.error ?? deny.error}
      onSubmit={form.onSubmit((values) => place && approve.mutate(approvalOf(values, place, login.user_code)))}
    >
      <Stack gap="lg">
        <Program login={login} />
        {place && (
          <Panel
            title="What it gets"
            description={`A key that spends the ${place.mode === 'test' ? 'test money' : 'balance'} of the workspace, and acts in your name there, until it ends or you revoke it.`}
          >
            <GrantFields form={form} login={login} places={places} place={place} />
          </Panel>
        )}
        {!place && <Alert color="yellow">Your role lets no program call anything: ask an owner for another.</Alert>}
        <div>
          {place && (
            <Checkbox
              checked={isCompared}
              onChange={(event) => setCompared(event.currentTarget.checked)}
              label={
                <>
                  My terminal shows <span className="id">{login.user_code}</span>, and I began this login myself
                </>
              }
            />
          )}
          <Group justify="flex-end" mt="lg">
            <Button variant="default" loading={deny.isPending} onClick={() => deny.mutate(undefined)}>
              Deny
            </Button>
            {place && (
              <Button type="submit" disabled={!isCompared} loading={approve.isPending}>
                Approve
              </Button>
            )}
          </Group>
        </div>
      </Stack>
    </Form>
  );
}

const placeAt = (places: Place[], value: string): Place | undefined => places.find((place) => place.value === value);

function useDecision(login: Login, onEnd: Ending['onEnd']) {
  const options = { onSuccess: ({ status }: { status: Login['status'] }) => onEnd(status), onError: () => {} };
  const approve = useChange((body: Approval) => answerOf(api.POST('/console/v1/device/approve', { body })), {
    ...options,
    stale: [['keys']],
  });
  const deny = useChange(
    () => answerOf(api.POST('/console/v1/device/deny', { body: { user_code: login.user_code } })),
    options,
  );
  return { approve, deny };
}
