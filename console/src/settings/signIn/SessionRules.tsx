import { Alert, Group, Select, Stack, Switch } from '@mantine/core';
import { answerOf, api } from '../../api/client.ts';
import { sentenceOf } from '../../api/failure.ts';
import { useAnswer, useChange } from '../../api/hooks.ts';
import { Confirmed } from '../../parts/Confirmed.tsx';
import { TableFailure } from '../../parts/DataTable.tsx';
import { Panel } from '../../parts/Panel.tsx';

const RULES = ['session-rules'];
const NONE = 'none';

const HOUR = 60;
const DAY = 24 * HOUR;
const LENGTHS = [
  [HOUR, '1 hour'],
  [8 * HOUR, '8 hours'],
  [12 * HOUR, '12 hours'],
  [DAY, '1 day'],
  [7 * DAY, '7 days'],
  [14 * DAY, '14 days'],
] as const;
const IDLE = [
  [15, '15 minutes'],
  [30, '30 minutes'],
  [HOUR, '1 hour'],
  [4 * HOUR, '4 hours'],
  [DAY, '1 day'],
] as const;

type Change = { requires_second_factor?: boolean; session_minutes?: number | null; idle_minutes?: number | null };

/** What the workspace asks of its members' sessions. */
export function SessionRules() {
  const rules = useAnswer(RULES, (signal) => api.GET('/console/v1/session-rules', { signal }));
  const change = useChange((body: Change) => answerOf(api.PATCH('/console/v1/session-rules', { body })), {
    stale: [RULES],
    done: 'The rules are changed',
    onError: () => {},
  });
  const { data } = rules;
  return (
    <Panel title="Two-factor and sessions" description="What members need to open this workspace.">
      <Stack>
        {rules.error && !data && <TableFailure error={rules.error} retry={() => void rules.refetch()} />}
        {change.error && <Alert color="red">{sentenceOf(change.error)}</Alert>}
        <Confirmed
          title="Require a second factor?"
          confirmLabel="Require it"
          change={{
            isPending: change.isPending,
            // The reason of a refusal is above.
            mutate: (input: Change, { onSuccess }) => change.mutate(input, { onSuccess, onError: onSuccess }),
          }}
          input={{ requires_second_factor: true }}
          trigger={(ask) => (
            <Switch
              label="Require a second factor"
              description="An authenticator app, a passkey, or single sign-on. Members without one see nothing until they have set it up."
              checked={data?.requires_second_factor ?? false}
              disabled={!data || change.isPending}
              onChange={(event) =>
                event.currentTarget.checked ? ask() : change.mutate({ requires_second_factor: false })
              }
            />
          )}
        >
          Members without one see nothing of this workspace, from now on, until they have set one up. Keys go on
          working.
        </Confirmed>
        <Group grow align="flex-start">
          <Length
            label="Sign in again after"
            choices={LENGTHS}
            value={data?.session_minutes}
            most={data?.installation.session_minutes}
            isDisabled={!data || change.isPending}
            onChange={(minutes) => change.mutate({ session_minutes: minutes })}
          />
          <Length
            label="Or when unused for"
            choices={IDLE}
            value={data?.idle_minutes}
            most={data?.installation.idle_minutes}
            isDisabled={!data || change.isPending}
            onChange={(minutes) => change.mutate({ idle_minutes: minutes })}
          />
        </Group>
      </Stack>
    </Panel>
  );
}

function Length({
  label,
  choices,
  value,
  most,
  isDisabled,
  onChange,
}: {
  label: string;
  choices: readonly (readonly [number, string])[];
  value: number | null | undefined;
  /** The installation's own limit. */
  most: number | null | undefined;
  isDisabled: boolean;
  onChange: (minutes: number | null) => void;
}) {
  const known = choices.map(([minutes, text]) => ({ value: String(minutes), label: text }));
  const present = value === null || value === undefined ? NONE : String(value);
  const own =
    known.some((one) => one.value === present) || present === NONE
      ? []
      : [{ value: present, label: `${present} minutes` }];
  return (
    <Select
      label={label}
      description={most ? `This installation: ${most} minutes at most.` : undefined}
      data={[{ value: NONE, label: 'Installation default' }, ...own, ...known]}
      value={present}
      allowDeselect={false}
      disabled={isDisabled}
      onChange={(next) => next !== null && onChange(next === NONE ? null : Number(next))}
    />
  );
}
