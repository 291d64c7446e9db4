import {writeSync} from 'node:fs'

/**
 * Prints a short text on standard output without loading streams. Resolves with the exit code; a reader that left is not
 * a failure. The rest of the text is printed through streams where this fails, as in a full pipe.
 */
export async function print(text: string): Promise<number> {
  const bytes = Buffer.from(text)
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written)
    return 0
  } catch {
    const {printRest} = await import('../app/main.js')
    return printRest(bytes.subarray(written))
  }
}
