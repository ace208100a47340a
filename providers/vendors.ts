import { readFileSync } from 'node:fs';

/** A vendor of language models behind OpenAI's protocol. */
export interface Vendor {
  id: string;
  name: string;
  baseUrl: string;
  /** The page on which it hands out keys. */
  keysAt: string;
  note?: string;
  /** Its name of the limit of an answer's tokens, where it refuses OpenAI's present one. */
  outputLimit?: 'max_tokens';
  models: VendorModel[];
}

/** A model that a vendor lists, at its list price. */
export interface VendorModel {
  model: string;
  contextTokens: number;
  outputTokensMax: number;
  inputMediaTypes?: string[];
  /** The vendor's list price, in US dollars for a million of each unit, at the day of `vendorsPricedAt`. */
  usdPerMillion: Record<string, number>;
  note?: string;
}

const list = JSON.parse(readFileSync(new URL('./vendors.json', import.meta.url), 'utf8')) as {
  pricedAt: string;
  vendors: Vendor[];
};

/** Vendors whose models can be added in one step, with list prices from their public pages. */
export const { vendors } = list;

/** The day of the list prices, which a person sees before they are accepted. */
export const vendorsPricedAt = list.pricedAt;

/** The vendor with this id. */
export const vendorOf = (id: string): Vendor | undefined => vendors.find((one) => one.id === id);

/** What the list knows of a vendor's model. */
export const listedModel = (vendor: Vendor | undefined, model: string): VendorModel | undefined =>
  vendor?.models.find((one) => one.model === model);
