import type { Model } from '../../db/catalog/catalog.ts';
import { findKeyState } from '../../db/keys/keyState.ts';
import { countVoices } from '../../db/voices/voices.ts';
import { readQuantity } from '../../db/accounting/usageReport.ts';
import { nowMsOf } from '../../calls/caller.ts';
import type { Context, Handler } from '../context.ts';
import { seenBy } from '../guard/projects.ts';
import type { Services } from '../services.ts';
import { TEXT_CHARS_MAX } from './voiceSchema.ts';
import { VOICES_MAX } from './addVoice.ts';
import type { Models, Subscription, User } from './voiceAnswers.ts';
import type { z } from 'zod';
import { PICOS_PER_NANO } from '../../db/money.ts';

const ENGLISH = [{ language_id: 'en', name: 'English' }];

/** `GET /v1/models`: speech and conversion models as a bare array, as in ElevenLabs' API. */
export function listVoiceModels({ catalog }: Services): Handler {
  return (ctx) => {
    ctx.body = catalog.models.filter(({ kind }) => kind === 'speech' || kind === 'conversion').map(presentModel);
  };
}

function presentModel({ id, kind }: Model): z.infer<typeof Models>[number] {
  return {
    model_id: id,
    name: id,
    description: kind === 'speech' ? 'Speaks a text.' : 'Puts speech into another voice.',
    can_be_finetuned: false,
    can_do_text_to_speech: kind === 'speech',
    can_do_voice_conversion: kind === 'conversion',
    can_use_style: false,
    can_use_speaker_boost: false,
    serves_pro_voices: false,
    token_cost_factor: 1,
    requires_alpha_access: false,
    max_characters_request_free_user: TEXT_CHARS_MAX,
    max_characters_request_subscribed_user: TEXT_CHARS_MAX,
    maximum_text_length_per_request: TEXT_CHARS_MAX,
    languages: ENGLISH,
    model_rates: { character_cost_multiplier: 1 },
    concurrency_group: 'standard',
  };
}

/** `GET /v1/user`. */
export function retrieveUser(services: Services): Handler {
  return async (ctx) => {
    ctx.body = {
      user_id: ctx.state.key.workspaceId,
      workspace_id: ctx.state.key.workspaceId,
      seat_type: 'workspace_member',
      subscription: await subscriptionOf(ctx, services),
      is_new_user: false,
      xi_api_key: null,
      can_use_delayed_payment_methods: false,
      is_onboarding_completed: true,
      is_onboarding_checklist_completed: true,
      first_name: null,
      created_at: 0,
    } satisfies z.infer<typeof User>;
  };
}

/**
 * `GET /v1/user/subscription`: the prepaid balance as a subscription: the count of this month (UTC), and as limit the count plus the
 * characters that the balance still covers.
 */
export function retrieveSubscription(services: Services): Handler {
  return async (ctx) => {
    ctx.body = await subscriptionOf(ctx, services);
  };
}

async function subscriptionOf(ctx: Context, services: Services): Promise<z.infer<typeof Subscription>> {
  const { db, catalog } = services;
  const { keyId, workspaceId } = ctx.state.key;
  const month = monthAt(nowMsOf(ctx.state));
  // Count and balance cover the same calls.
  await db.ledger.posted();
  const [state, voices, characters] = await Promise.all([
    findKeyState(db.pool, keyId),
    countVoices(db.read(workspaceId)),
    // The billed ones of the speech that the caller sees.
    readQuantity(seenBy(db, ctx.state.key), { ...month, unit: 'input_characters' }),
  ]);
  const freeNanos =
    state.keyFreeNanos !== null && state.keyFreeNanos < state.availableNanos
      ? state.keyFreeNanos
      : state.availableNanos;
  const picos = catalog.models.find(({ kind }) => kind === 'speech')?.rates.input_characters ?? 0n;
  return {
    tier: 'prepaid',
    status: 'active',
    character_count: characters,
    character_limit: characters + (picos === 0n ? 0 : Number((freeNanos * PICOS_PER_NANO) / picos)),
    max_character_limit_extension: null,
    max_credit_limit_extension: 0,
    can_extend_character_limit: false,
    allowed_to_extend_character_limit: false,
    next_character_count_reset_unix: month.to.getTime() / 1_000,
    voice_slots_used: voices,
    voice_limit: VOICES_MAX,
    max_voice_add_edits: null,
    voice_add_edit_counter: 0,
    professional_voice_limit: 0,
    professional_voice_slots_used: 0,
    professional_voice_slots_used_in_workspace: 0,
    can_extend_voice_limit: false,
    can_use_instant_voice_cloning: true,
    can_use_professional_voice_cloning: false,
    currency: 'usd',
    current_overage: { amount: '0', currency: 'usd' },
    billing_period: null,
    character_refresh_period: null,
    next_invoice: null,
    open_invoices: [],
    has_open_invoices: false,
  };
}

function monthAt(nowMs: number): { from: Date; to: Date } {
  const now = new Date(nowMs);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { from: new Date(Date.UTC(year, month)), to: new Date(Date.UTC(year, month + 1)) };
}
