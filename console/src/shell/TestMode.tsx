import { Alert, Button, Group, Switch, Text } from '@mantine/core';
import { answerOf, api, sendJson } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { useMe } from '../api/me.ts';

/** Other pages' data must not stay on the screen, so the page is reloaded. */
const useModeChange = () =>
  useChange((mode: 'live' | 'test') => sendJson('/console/v1/mode', { mode }), {
    onSuccess: () => location.assign('/'),
  });

/** Switches all pages between the workspace and its test workspace. */
export function ModeSwitch() {
  const { mode } = useMe();
  const change = useModeChange();
  return (
    <Switch
      label="Test mode"
      mt="sm"
      mx={10}
      color="orange"
      checked={mode === 'test'}
      disabled={change.isPending}
      onChange={({ currentTarget }) => change.mutate(currentTarget.checked ? 'test' : 'live')}
    />
  );
}

const DAY_SECONDS = 86_400;
const MOVING_MS = 1_000;

/** Marks each page of the test workspace, with its clock. */
export function TestBanner() {
  const leave = useModeChange();
  const clock = useAnswer(['test_clock'], (signal) => api.GET('/platform/v1/test_clock', { signal }), {
    refetchInterval: ({ state }) => (state.data?.status === 'advancing' ? MOVING_MS : false),
  });
  const isMoving = clock.data?.status === 'advancing';
  const advance = useChange(
    (seconds: number) => answerOf(api.POST('/platform/v1/test_clock/advance', { body: { seconds } })),
    // The days of all spend limits have changed.
    { stale: [[]] },
  );
  return (
    <Alert color="orange" variant="light" mb="lg" title="Test mode" role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          Rules stand in for every model, and test money pays.
          {clock.data && ` The clock says ${new Date(clock.data.now).toUTCString()}.`}
        </Text>
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            loading={advance.isPending || isMoving}
            onClick={() => advance.mutate(DAY_SECONDS)}
          >
            Advance a day
          </Button>
          <Button size="xs" variant="default" loading={leave.isPending} onClick={() => leave.mutate('live')}>
            Leave test mode
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}
