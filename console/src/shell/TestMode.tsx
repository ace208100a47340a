import { answerOf, api, sendJson } from '../api/client.ts';
import { useAnswer, useChange } from '../api/hooks.ts';
import { showWorkspace } from '../api/tab.ts';

/** Changes between the workspace and its test workspace. Other pages' data must not stay on the screen, so the page is reloaded. */
export const useModeChange = () =>
  useChange((mode: 'live' | 'test') => sendJson<{ selected: string }>('/console/v1/mode', { mode }), {
    onSuccess: ({ selected }) => {
      showWorkspace(selected);
      location.assign('/');
    },
  });

const DAY_SECONDS = 86_400;
const MOVING_MS = 1_000;

/** A coloured strip over the whole window of the test workspace, with its clock. */
export function TestStrip() {
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
  const isBusy = advance.isPending || isMoving;
  return (
    <div className="test-strip" role="status" aria-label="Test mode">
      <p className="test-strip-words">
        <strong>Test mode</strong>
        <span className="test-strip-clock">
          {' · Rules stand in for every model, and test money pays.'}
          {clock.data && ` The clock says ${new Date(clock.data.now).toUTCString()}.`}
        </span>
      </p>
      <button type="button" className="test-strip-button" disabled={isBusy} onClick={() => advance.mutate(DAY_SECONDS)}>
        {isBusy ? 'Advancing…' : 'Advance a day'}
      </button>
      <button
        type="button"
        className="test-strip-button"
        disabled={leave.isPending}
        onClick={() => leave.mutate('live')}
      >
        Leave test mode
      </button>
    </div>
  );
}
