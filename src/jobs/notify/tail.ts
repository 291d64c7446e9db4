/** The last messages of a command. */
export type Tail = ReturnType<typeof createTail>

const longestTailBytes = 10_240

/** Keeps the last bytes of all that was added, from the start of a line where there is one. */
export function createTail(longest = longestTailBytes) {
  let kept = ''
  return {
    add(text: string): void {
      kept = cut(kept + text, longest)
    },
    text: () => kept.trimEnd(),
  }
}

function cut(text: string, longest: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= longest) return text
  const start = bytes.subarray(bytes.length - longest)
  const line = start.indexOf('\n') + 1
  return start.subarray(line > 0 && line < start.length ? line : startOfLetter(start)).toString()
}

/** The first byte that begins a character of UTF-8. */
function startOfLetter(bytes: Buffer): number {
  const first = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80)
  return Math.max(first, 0)
}
