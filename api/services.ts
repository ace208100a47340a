import type { Logger } from 'pino';
import type { AgentModels } from '../db/agents/agentModels.ts';
import type { Contents } from '../db/contents/contents.ts';
import type { SharedSecret } from '../db/rotation/secretVersions.ts';
import type { LiveCatalog } from '../db/liveCatalog/liveCatalog.ts';
import type { Database } from '../db/database.ts';
import type { Mailer } from '../providers/mail/mailer.ts';
import type { Payments } from '../providers/payments/stripe.ts';
import type { Metrics } from '../base/telemetry/metrics.ts';
import type { LocalEngines } from '../providers/localEngines.ts';
import type { TextProviders } from '../providers/textProviders.ts';
import type { UpstreamRouting } from '../providers/routing/routing.ts';
import type { RealtimeProviders } from '../providers/realtimeProviders.ts';
import type { VoiceProviders } from '../providers/voiceProviders.ts';
import type { ApiConfig } from './config.ts';
import type { Shutdown } from './http/shutdown.ts';
import type { Limits } from './guard/rate.ts';
import type { TemporalSchedules } from '../orders/temporalSchedules.ts';
import type { PluginSignIns } from './temporal/pluginSignIns.ts';
import type { Reviews } from './temporal/reviews.ts';
import type { RunStarter } from './temporal/runStarter.ts';
import type { ToolTests } from './temporal/toolTests.ts';
import type { Cursors } from './http/signedCursor.ts';
import type { Temporal } from './temporal/temporal.ts';

/** The services of handlers and guards, created once by `serve`. */
export interface Services {
  config: ApiConfig;
  log: Logger;
  db: Database;
  /** Contents of calls, of the keys that keep them. */
  contents: Contents;
  catalog: LiveCatalog;
  /** The models of agents, with the platform's prices for each and for the sandbox. */
  agentModels: AgentModels;
  textProviders: TextProviders;
  voiceProviders: VoiceProviders;
  /** Local voices and recognisers, if installed. */
  engines: LocalEngines | undefined;
  realtimeProviders: RealtimeProviders;
  /** Which upstreams calls go to, and how they do. */
  routing: UpstreamRouting;
  limits: Limits;
  /** Null when disabled. */
  metrics: Metrics | null;
  /** Null when payments are disabled. */
  payments: Payments | null;
  mailer: Mailer;
  cursors: Cursors;
  /** Signs cookies of people, and encrypts their second factors. */
  accountSecret: SharedSecret;
  runStarter: RunStarter;
  temporal: Temporal;
  reviews: Reviews;
  pluginSignIns: PluginSignIns;
  toolTests: ToolTests;
  /** The schedules in Temporal. */
  schedules: TemporalSchedules;
  shutdown: Shutdown;
}
