/** Letters, signs and punctuation of Windows-1252 that stand in western texts; other bytes speak for other encodings. */
const western = new Set([
  0x80, 0x85, 0x8a, 0x8c, 0x8e, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x99, 0x9a, 0x9c, 0x9e, 0x9f,
])
const firstSign = 0xa0
const firstHigh = 0x80
/** Western texts seldom have more than two such letters in a row, others write whole words with them. */
const longestRun = 3

/** Whether bytes that are not UTF-8 look like Windows-1252: some accented letters among plain ones. */
export function looksLikeWindows1252(bytes: Buffer): boolean {
  let run = 0
  let count = 0
  for (const byte of bytes) {
    if (byte < firstHigh) {
      run = 0
      continue
    }

    run++
    count++
    if (run > longestRun || (byte < firstSign && !western.has(byte))) return false
  }

  return count > 0
}
