import { body } from '../body/body.ts';
import { parseBody } from '../body/parseWith.ts';
import type { Keyed } from '../guard/key.ts';
import { get, post, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { moveTestClock, retrieveTestClock } from './testClock.ts';
import { ClockBody } from './testSchema.ts';
import { testDocs } from './testDocs.ts';

/** Routes of test workspaces. */
export function testRoutes(services: Services, keyed: Keyed): Route[] {
  const at = '/platform/v1/test_clock';
  return [
    get(at, keyed(), retrieveTestClock(services), testDocs.retrieveClock),
    post(`${at}/advance`, keyed(body(parseBody(ClockBody))), moveTestClock(services), testDocs.moveClock),
  ];
}
