import {inputFailure} from './input-failure.js'
import {openInput} from './open-input.js'
import {readText} from './read-text.js'
import {maximumRecordBytes} from './row.js'

/** A small text file, such as a list of names. Throws a `CliFailure` (invalid) when it is none. */
export async function readWholeText(path: string): Promise<string> {
  const {name, bytes} = await openInput(path, process.stdin)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of readText(bytes, {file: name})) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maximumRecordBytes) throw inputFailure('HUGE_FILE', 'too long for a list of names', {file: name})
  }

  return Buffer.concat(chunks).toString()
}
