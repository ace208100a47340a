import type { Logger } from 'pino';
import type { PlatformCosts } from '../db/agents/configuration.ts';
import type { Catalog, Model } from '../db/catalog.ts';
import type { Database } from '../db/database.ts';
import type { Payments } from '../payments/stripe.ts';
import type { TextProviders } from '../providers/textProviders.ts';
import type { VoiceProviders } from '../providers/voiceProviders.ts';
import type { ApiConfig } from './config.ts';
import type { Shutdown } from './http/shutdown.ts';
import type { Limits } from './guard/rate.ts';
import type { Reviews } from './temporal/reviews.ts';
import type { RunStarter } from './temporal/runStarter.ts';
import type { Cursors } from './http/signedCursor.ts';
import type { Temporal } from './temporal/temporal.ts';

/** What handlers and guards are given: made once by `serve`. */
export interface Services {
  config: ApiConfig;
  log: Logger;
  db: Database;
  catalog: Catalog;
  /** What thinks for agents. */
  agentModel: Model;
  /** What the platform charges for it and for the sandbox. */
  platformCosts: PlatformCosts;
  textProviders: TextProviders;
  voiceProviders: VoiceProviders;
  limits: Limits;
  /** Null where no payments are taken. */
  payments: Payments | null;
  cursors: Cursors;
  runStarter: RunStarter;
  temporal: Temporal;
  reviews: Reviews;
  shutdown: Shutdown;
}
