const codes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'HOSTNAME_MISMATCH',
  'EPROTO',
])

/** Whether the code of an error says that the other end did not prove who it is. */
export function isTlsCode(code: string): boolean {
  return codes.has(code) || /^(ERR_TLS|ERR_SSL|CERT_|CRL_)/.test(code)
}
