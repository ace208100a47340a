import { defineEntity, p } from '@mikro-orm/core';

/**
 * A key that signs roots: valid until the next one is created. The private key is sealed for the worker. Append-only, like all of this
 * file.
 */
export const BillKey = defineEntity({
  name: 'BillKey',
  tableName: 'bill_keys',
  properties: {
    id: p.text().primary(),
    /** The 32 bytes of an Ed25519 key in base64url, as `x` of a JWK. */
    publicKey: p.text(),
    sealedKey: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** The signed root of a UTC day, over the days of all workspaces with entries on it. Roots follow each other without a gap. */
export const BillRoot = defineEntity({
  name: 'BillRoot',
  tableName: 'bill_roots',
  properties: {
    day: p.date().primary(),
    /** The signed text: JSON, always these bytes. */
    signed: p.text(),
    signature: p.text(),
    keyId: p.text(),
    /** The hashes of each 256 leaves. */
    chunks: p.blob(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/**
 * The entries of one account that a day's root covers: those after the account's previous signed day, up to the last entry before
 * midnight.
 */
export const BillDay = defineEntity({
  name: 'BillDay',
  tableName: 'bill_days',
  uniques: [{ name: 'bill_days_day_place_unique', properties: ['day', 'place'] }],
  properties: {
    workspaceId: p.text().primary(),
    day: p.date().primary(),
    /** The number of its leaf in the day's tree, from zero. Null: the day has ended by a test workspace's clock, and is still to come. */
    place: p.integer().strictNullable(),
    accountId: p.text(),
    firstSequence: p.bigint(),
    lastSequence: p.bigint(),
    /** Its leaf: JSON, always these bytes, with a random salt. */
    leaf: p.text(),
    /** The hashes of each 256 entries. */
    chunks: p.blob(),
  },
});

/** The usage behind a provisional bill, before the final bill replaced it: the leaf of its debit contains this. */
export const ReplacedBill = defineEntity({
  name: 'ReplacedBill',
  tableName: 'replaced_bills',
  properties: {
    requestId: p.text().primary(),
    workspaceId: p.text().index(),
    model: p.text(),
    route: p.text(),
    usage: p.json().$type<Record<string, number>>(),
    priceId: p.text().strictNullable(),
  },
});
