import { listedModel, vendorOf, type Vendor, type VendorModel } from '../../providers/vendors.ts';
import type { UpstreamAddress } from '../../providers/upstreamOptions.ts';
import type { EntryChange } from '../../db/liveCatalog/changeCatalog.ts';
import type { ComposedCatalog } from '../../db/liveCatalog/composeCatalog.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';

/** A vendor or address as it was sent. */
interface SentPlace {
  vendor?: string | undefined;
  base_url?: string | undefined;
  api_key?: string | undefined;
  model: string;
}

/** Where a model is to run. */
export interface StarterPlace {
  vendor: Vendor | undefined;
  listed: VendorModel | undefined;
  /** The catalogue's name of the upstream. */
  upstream: string;
  address: UpstreamAddress;
  /** What is to be changed of the upstream: the whole of a new one, or its key. */
  change: EntryChange | undefined;
}

/**
 * The upstream at this address: that of the catalogue, with its key unless another one is sent, or a new one. A key goes to no other address
 * than the one that it was stated for. Throws 422 where a vendor's key is missing.
 */
export function starterPlaceOf(catalog: ComposedCatalog, sent: SentPlace): StarterPlace {
  const { api_key: key, model } = sent;
  const vendor = sent.vendor === undefined ? undefined : vendorOf(sent.vendor);
  const baseUrl = vendor?.baseUrl ?? sent.base_url!;
  const known = upstreamAt(catalog, baseUrl);
  const apiKey = key ?? known?.address.apiKey;
  if (vendor && apiKey === undefined) throw validationErrorAt(['body', 'api_key'], 'Field required');
  const { outputLimit } = vendor ?? known?.address ?? {};
  const members = { baseUrl, ...(outputLimit && { outputLimit }) };
  const upstream = known?.name ?? newName(catalog, vendor?.id ?? nameOf(baseUrl));
  const change: EntryChange = { kind: 'upstream', name: upstream, members: known ? {} : members, key, isNew: !known };
  return {
    vendor,
    listed: listedModel(vendor, model),
    upstream,
    address: known
      ? { ...known.address, ...(apiKey !== undefined && { apiKey }) }
      : { ...members, ...(key && { apiKey: key }) },
    change: known && key === undefined ? undefined : change,
  };
}

const plain = (url: string): string => url.replace(/\/+$/, '');

/** The catalogue's upstream at an address. */
export function upstreamAt(
  { upstreams }: ComposedCatalog,
  baseUrl: string,
): { name: string; address: UpstreamAddress } | undefined {
  for (const [name, { state, ...address }] of upstreams)
    if (!state.isDisabled && address.protocol !== 'elevenlabs' && plain(address.baseUrl) === plain(baseUrl))
      return { name, address };
  return undefined;
}

const nameOf = (baseUrl: string): string =>
  new URL(baseUrl).host.replace(/[^\w.-]+/g, '-').replace(/^\W+/, '') || 'upstream';

/** A name that no other upstream has. */
function newName({ upstreams }: ComposedCatalog, wanted: string): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!upstreams.has(name)) return name;
  }
}
