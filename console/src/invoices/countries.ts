const NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
// Groups of countries, and codes without a country.
const NO_COUNTRIES = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ']);
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');

/** The name of a country of ISO 3166. */
export const countryName = (code: string): string => NAMES.of(code) ?? code;

let known: { value: string; label: string }[] | undefined;

/** All countries by their names. */
export const countries = (): { value: string; label: string }[] =>
  (known ??= LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter((code) => !NO_COUNTRIES.has(code) && NAMES.of(code) !== undefined)
    .map((value) => ({ value, label: countryName(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label)));

// As the API takes them.
const TAX_ID_TYPES =
  `ad_nrt ae_trn al_tin am_tin ao_tin ar_cuit au_abn au_arn aw_tin az_tin ba_tin bb_tin bd_bin bf_ifu bg_uic
  bh_vat bj_ifu bo_tin br_cnpj br_cpf bs_tin by_tin ca_bn ca_gst_hst ca_pst_bc ca_pst_mb ca_pst_sk ca_qst cd_nif ch_uid ch_vat cl_tin
  cm_niu cn_tin co_nit cr_tin cv_nif de_stn do_rcn ec_ruc eg_tin es_cif et_tin eu_oss_vat eu_vat gb_vat ge_vat gn_nif hk_br hr_oib
  hu_tin id_npwp il_vat in_gst is_vat jp_cn jp_rn jp_trn ke_pin kg_tin kh_tin kr_brn kz_bin la_tin li_uid li_vat ma_vat md_vat me_pib
  mk_vat mr_nif mx_rfc my_frp my_itn my_sst ng_tin no_vat no_voec np_pan nz_gst om_vat pe_ruc ph_tin pl_nip ro_tin rs_pib ru_inn ru_kpp
  sa_vat sg_gst sg_uen si_tin sn_ninea sr_fin sv_nit th_vat tj_tin tr_tin tw_vat tz_vat ua_vat ug_tin us_ein uy_ruc uz_tin uz_vat ve_rif
  vn_tin za_vat zm_tin zw_tin`.split(/\s+/);

/** The types of tax numbers, as people call them: those of the country first. */
export function taxIdTypes(country: string | null): { value: string; label: string }[] {
  const prefix = country?.toLowerCase() ?? '';
  const rank = (type: string) => (type.startsWith(`${prefix}_`) ? 0 : type === 'eu_vat' ? 1 : 2);
  return TAX_ID_TYPES.toSorted((one, other) => rank(one) - rank(other)).map((value) => {
    const [place, ...kind] = value.split('_');
    const name = kind.join(' ').toUpperCase();
    return { value, label: place === 'eu' ? `EU ${name}` : `${countryName(place!.toUpperCase())}: ${name}` };
  });
}
