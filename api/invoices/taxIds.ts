/** The types of tax numbers, as Stripe names them: where, and of what kind. */
export const TAX_ID_TYPES =
  `ad_nrt ae_trn al_tin am_tin ao_tin ar_cuit au_abn au_arn aw_tin az_tin ba_tin bb_tin bd_bin bf_ifu bg_uic
  bh_vat bj_ifu bo_tin br_cnpj br_cpf bs_tin by_tin ca_bn ca_gst_hst ca_pst_bc ca_pst_mb ca_pst_sk ca_qst cd_nif ch_uid ch_vat cl_tin
  cm_niu cn_tin co_nit cr_tin cv_nif de_stn do_rcn ec_ruc eg_tin es_cif et_tin eu_oss_vat eu_vat gb_vat ge_vat gn_nif hk_br hr_oib
  hu_tin id_npwp il_vat in_gst is_vat jp_cn jp_rn jp_trn ke_pin kg_tin kh_tin kr_brn kz_bin la_tin li_uid li_vat ma_vat md_vat me_pib
  mk_vat mr_nif mx_rfc my_frp my_itn my_sst ng_tin no_vat no_voec np_pan nz_gst om_vat pe_ruc ph_tin pl_nip ro_tin rs_pib ru_inn ru_kpp
  sa_vat sg_gst sg_uen si_tin sn_ninea sr_fin sv_nit th_vat tj_tin tr_tin tw_vat tz_vat ua_vat ug_tin us_ein uy_ruc uz_tin uz_vat ve_rif
  vn_tin za_vat zm_tin zw_tin`.split(/\s+/);

/** The forms that are simple to check, without spaces, dots and hyphens between; each with an example. */
const FORMS: Partial<Record<string, [form: RegExp, example: string]>> = {
  eu_vat: [
    /^(AT U\d{8}|BE [01]?\d{9}|BG \d{9,10}|CY \d{8}[A-Z]|CZ \d{8,10}|DE \d{9}|DK \d{8}|EE \d{9}|EL \d{9}|ES [A-Z\d]\d{7}[A-Z\d]|FI \d{8}|FR [A-Z\d]{2}\d{9}|HR \d{11}|HU \d{8}|IE \d[A-Z\d]\d{5}[A-Z]{1,2}|IT \d{11}|LT (\d{9}|\d{12})|LU \d{8}|LV \d{11}|MT \d{8}|NL \d{9}B\d{2}|PL \d{10}|PT \d{9}|RO \d{2,10}|SE \d{12}|SI \d{8}|SK \d{10}|XI \d{9})$/,
    'DE123456789',
  ],
  gb_vat: [/^GB(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/, 'GB123456789'],
  ch_vat: [/^CHE\d{9}(MWST|TVA|IVA)$/, 'CHE-123.456.789 MWST'],
  ch_uid: [/^CHE\d{9}$/, 'CHE-123.456.789'],
  us_ein: [/^\d{9}$/, '12-3456789'],
  no_vat: [/^\d{9}MVA$/, '123456789MVA'],
  au_abn: [/^\d{11}$/, '12345678912'],
  nz_gst: [/^\d{8,9}$/, '123456789'],
  ca_bn: [/^\d{9}$/, '123456789'],
  ca_gst_hst: [/^\d{9}RT\d{4}$/, '123456789RT0002'],
  in_gst: [/^\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d]$/, '12ABCDE3456FGZH'],
  jp_trn: [/^T\d{13}$/, 'T1234567891234'],
  sg_gst: [/^M\d{8}X$|^[A-Z\d]{9,10}$/, 'M12345678X'],
  br_cnpj: [/^\d{14}$/, '01.234.456/5432-10'],
  mx_rfc: [/^[A-ZÑ&]{3,4}\d{6}[A-Z\d]{3}$/, 'ABC010203AB9'],
  za_vat: [/^4\d{9}$/, '4123456789'],
  ae_trn: [/^\d{15}$/, '123456789012345'],
  kr_brn: [/^\d{10}$/, '123-45-67890'],
};

/** What is wrong with a tax number of this type; undefined when nothing is, or nothing is known about its form. */
export function taxIdProblem(type: string, value: string): string | undefined {
  const known = FORMS[type];
  const plain = value.toUpperCase().replaceAll(/[\s./-]/g, '');
  // In the forms of the EU a space stands behind the country, to be readable.
  const spaced = type === 'eu_vat' ? plain.replace(/^([A-Z]{2})/, '$1 ') : plain;
  return !known || known[0].test(spaced) ? undefined : `A tax number of the type ${type} looks like ${known[1]}.`;
}
