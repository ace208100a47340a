import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { DELIVER_AGAIN_SIGNAL } from '../../contracts/webhook.ts';
import { untilCalled, type Scripted, type ScriptedScenario, type ScriptedWorld } from './scriptedStage.ts';

const hourMs = 3_600_000;
const over = { delayMs: null };
const again = { delayMs: 20 };

type Act = (handle: WorkflowHandle, world: ScriptedWorld) => Promise<unknown>;

const playing =
  (deliverWebhook: Scripted[], act?: Act): ScriptedScenario['play'] =>
  async (stage) => {
    const started = await stage.startWebhook({ deliverWebhook });
    await act?.(started.handle, started.world);
    await started.handle.result().catch((error: unknown) => {
      if (!(error instanceof WorkflowFailedError)) throw error;
    });
    return started;
  };

const calls = (times: number): string[] => Array.from({ length: times }, () => 'deliverWebhook');

/** By name, which is also the file name of the history. */
export const webhookScenarios: Record<string, ScriptedScenario> = {
  delivered: {
    promise: 'an accepted event ends its delivery',
    ends: { attempts: 1 },
    calls: calls(1),
    play: playing([over]),
  },
  retried: {
    promise: 'a refused event is sent again until it is accepted',
    ends: { attempts: 3 },
    calls: calls(3),
    play: playing([again, again, over]),
  },
  disabled: {
    promise: 'a delivery that waits ends when its endpoint is disabled',
    ends: 'CANCELLED',
    calls: calls(2),
    play: playing([again, { delayMs: hourMs }], async (handle, world) => {
      await untilCalled(world, 'deliverWebhook', 2);
      await handle.cancel();
    }),
  },
  disabledAtOnce: {
    promise: 'a delivery ends when its endpoint was disabled between two attempts',
    ends: { attempts: 2 },
    calls: calls(2),
    play: playing([again, over]),
  },
  sentAgain: {
    promise: 'a delivery that waits makes its next attempt at once when it is asked to',
    ends: { attempts: 2 },
    calls: calls(2),
    play: playing([{ delayMs: hourMs }, over], async (handle, world) => {
      await untilCalled(world, 'deliverWebhook', 1);
      await handle.signal(DELIVER_AGAIN_SIGNAL);
    }),
  },
  sentAgainMeanwhile: {
    promise: 'an event that is to be sent again during its last attempt has one more',
    ends: { attempts: 2 },
    calls: calls(2),
    play: async (stage) => {
      const asked = Promise.withResolvers<object>();
      return playing([() => asked.promise, over], async (handle, world) => {
        await untilCalled(world, 'deliverWebhook', 1);
        await handle.signal(DELIVER_AGAIN_SIGNAL);
        asked.resolve(over);
      })(stage);
    },
  },
  databaseDown: {
    promise: 'an attempt that could not be made is no attempt of the delivery',
    ends: { attempts: 1 },
    calls: calls(2),
    play: playing([new Error('the database is down'), over]),
  },
};
