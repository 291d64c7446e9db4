/** CRC-32 of a text, against damage and not against people; zlib is loaded only when there is something to check. */
export function checksum(text: string): number {
  return process.getBuiltinModule('node:zlib').crc32(text)
}
