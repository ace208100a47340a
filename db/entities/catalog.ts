import { defineEntity, p } from '@mikro-orm/core';

/** What an operator changed of an entry of the catalogue: it applies on top of the file's entry, or is the whole of an added one. */
export const CatalogChange = defineEntity({
  name: 'CatalogChange',
  tableName: 'catalog_changes',
  checks: [
    {
      name: 'catalog_changes_kind_check',
      expression: "kind in ('upstream', 'model') and (kind = 'upstream' or sealed_key is null)",
    },
  ],
  properties: {
    kind: p.text().$type<'upstream' | 'model'>().primary(),
    name: p.text().primary(),
    /** Members of the entry, as the file has them. */
    change: p.json().$type<Record<string, unknown>>(),
    /** Null: as in the file, which disables none. */
    disabled: p.boolean().strictNullable(),
    /** An upstream's key; without it the file's, unless the address was changed. */
    sealedKey: p.text().strictNullable(),
    keyLast4: p.text().strictNullable(),
    changedBy: p.text(),
    changer: p.text(),
    changedAt: p.datetime().defaultRaw('now()'),
  },
});

/**
 * The price of a model from an instant on, or the proposal of one: pending -> approved | rejected | withdrawn. Decided rows never change.
 * The file's prices are recorded as they come to hold.
 */
export const CatalogPrice = defineEntity({
  name: 'CatalogPrice',
  tableName: 'catalog_prices',
  checks: [
    {
      name: 'catalog_prices_source_check',
      expression:
        "(source = 'file' and follows_file and status = 'approved') or (source = 'operator' and proposed_by is not null)",
    },
    {
      name: 'catalog_prices_status_check',
      expression:
        "status in ('pending', 'approved', 'rejected', 'withdrawn') and (status = 'approved') = (valid_from is not null)",
    },
    {
      name: 'catalog_prices_second_person_check',
      expression:
        "source <> 'operator' or status <> 'approved' or (decided_by is not null and (is_first or decided_by <> proposed_by) and valid_from >= decided_at)",
    },
  ],
  indexes: [
    {
      name: 'catalog_prices_model_index',
      expression: `create index "catalog_prices_model_index" on "catalog_prices" ("model", "valid_from") where status = 'approved'`,
    },
    { name: 'catalog_prices_created_index', properties: ['createdAt', 'id'] },
    { name: 'catalog_prices_price_index', properties: ['priceId'] },
    {
      name: 'catalog_prices_first_index',
      expression: 'create unique index "catalog_prices_first_index" on "catalog_prices" ("model") where is_first',
    },
  ],
  properties: {
    id: p.text().primary(),
    model: p.text(),
    /** The row of `model_prices` that calls name. */
    priceId: p.text(),
    /** Pico-USD by the name of the unit, as text. */
    rates: p.json().$type<Record<string, string>>(),
    /** What a line of a batch costs of that, in per cent; null: the same. */
    batchPercentage: p.integer().strictNullable(),
    /** The price is the file's, whatever it becomes. */
    followsFile: p.boolean().default(false),
    source: p.text().$type<'file' | 'operator'>(),
    status: p.text().$type<'pending' | 'approved' | 'rejected' | 'withdrawn'>(),
    reason: p.text().strictNullable(),
    /** The instant that was asked for; null: the approval. */
    holdsFrom: p.datetime().strictNullable(),
    /** The instant from which it holds, once it is approved. */
    validFrom: p.datetime().strictNullable(),
    proposedBy: p.text().strictNullable(),
    proposer: p.text().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    decidedBy: p.text().strictNullable(),
    decider: p.text().strictNullable(),
    decidedAt: p.datetime().strictNullable(),
    /** The first price of an added model: one person sets it, as nobody has paid another one. */
    isFirst: p.boolean().default(false),
  },
});

/**
 * The model that operators chose for agents. `awaited`: chosen, and in use once it has been fetched. Without rows the file and the
 * environment decide.
 */
export const AgentModelChoice = defineEntity({
  name: 'AgentModelChoice',
  tableName: 'agent_model_choices',
  checks: [{ name: 'agent_model_choices_state_check', expression: "state in ('chosen', 'awaited')" }],
  properties: {
    state: p.text().$type<'chosen' | 'awaited'>().primary(),
    model: p.text(),
    chosenBy: p.text(),
    chooser: p.text(),
    chosenAt: p.datetime().defaultRaw('now()'),
  },
});

/** What an upstream charges the platform for a model, from a moment on. */
export const UpstreamCost = defineEntity({
  name: 'UpstreamCost',
  tableName: 'upstream_costs',
  indexes: [
    {
      name: 'upstream_costs_model_index',
      expression:
        'create index "upstream_costs_model_index" on "upstream_costs" ("model", "upstream", "valid_from" desc)',
    },
  ],
  properties: {
    id: p.text().primary(),
    model: p.text(),
    upstream: p.text(),
    /** Pico-USD by the name of the unit, as text. */
    rates: p.json().$type<Record<string, string>>(),
    statedBy: p.text(),
    stater: p.text(),
    validFrom: p.datetime().defaultRaw('now()'),
  },
});
