import {writeSync} from 'node:fs'

/**
 * Prints a short text on standard output without loading streams, and resolves with the exit code: a reader that left
 * is no failure. A pipe that is full and everything else that fails goes the long way.
 */
export async function print(text: string): Promise<number> {
  const bytes = Buffer.from(text)
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written)
    return 0
  } catch {
    const {printWhole} = await import('../app/main.js')
    return printWhole(bytes.subarray(written))
  }
}
