import {createHash} from 'node:crypto'
import {stat} from 'node:fs/promises'
import {resolve} from 'node:path'
import {CliFailure} from '../../core/errors.js'
import {openInput} from '../../formats/read/open-input.js'
import {type ReadOptions, type RowFile, readRows} from '../../formats/read/read-rows.js'
import type {RunFacts} from '../journal/journal-entries.js'

/** The file of a run, which can be read a second time for what it literally says. */
export type InputSource = Awaited<ReturnType<typeof openSource>>

/**
 * A plain file is opened again, and its readings are compared by their digests. Of everything else (standard input,
 * pipes) the bytes are kept, which are fewer than their rows would be.
 */
export async function openSource(file: string, describe = changedWhileSent) {
  const isPlain = file !== '-' && (await isPlainFile(file))
  const first = createReading(!isPlain)
  const later: Reading[] = []
  /** To be called when all was read again. Throws a `CliFailure` (storage) when the file is another one by now. */
  const checkSame = (): void => {
    if (later.some((reading) => reading.digest() !== first.digest())) throw describe(file)
  }

  return {
    checkSame,
    /** Options of the first reading. */
    through: first.through,
    /** SHA-256 of what the first reading read, in hex; to be asked for when that is over. */
    digest: first.digest,
    /** Opens it again, as often as needed, with the format and delimiter that the first reading found. */
    async readAgain(options: ReadOptions): Promise<RowFile> {
      if (!isPlain) return readRows('-', {...options, stdin: first.kept()})
      const reading = createReading(false)
      later.push(reading)
      try {
        return await readRows(file, {...options, through: reading.through})
      } catch (error) {
        if (error instanceof CliFailure && error.exit === 'invalid') checkSame() // it could be read before
        throw error
      }
    },
  }
}

function changedWhileSent(file: string): CliFailure {
  return new CliFailure(`${file} was changed while its rows were sent: they can no longer be copied.`, {
    code: 'FILE_CHANGED',
    exit: 'storage',
    changed: 'some',
    hints: ['The result of each row is in the output of --json, by line of the original file.'],
  })
}

const openDescriptor = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/(?:self|\d+)\/fd\/\d+)$/

/** The absolute path of an input that names one file; not of standard input, nor of `<(command)`, which is `/dev/fd/63`. */
export function toFixedPath(file: string | undefined): string | undefined {
  const path = file === undefined || file === '-' ? undefined : resolve(file)
  return path !== undefined && openDescriptor.test(path) ? undefined : path
}

async function isPlainFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => true, // the reading says what is wrong with it
  )
}

type Reading = ReturnType<typeof createReading>

function createReading(keeps: boolean) {
  const hash = createHash('sha256')
  const chunks: Buffer[] = []
  let digest: string | undefined
  return {
    async *through(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of bytes) {
        hash.update(chunk)
        if (keeps) chunks.push(chunk)
        yield chunk
      }
    },
    digest(): string {
      digest ??= hash.digest('hex')
      return digest
    },
    async *kept(): AsyncGenerator<Buffer> {
      yield* chunks
    },
  }
}

/** The input file of a run; undefined when it is gone or changed. */
export async function findSameInput(facts: Pick<RunFacts, 'path' | 'inputDigest'>): Promise<InputSource | undefined> {
  const {path, inputDigest} = facts
  if (path === undefined || inputDigest === undefined) return undefined
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return undefined
  const source = await openSource(path)
  const isSame = await digestOf(path, source).then(
    (digest) => digest === inputDigest,
    () => false,
  )
  return isSame ? source : undefined
}

/** SHA-256 of a file, or of standard input, in hex. */
export async function digestOf(file: string, {through, digest}: InputSource): Promise<string> {
  const {bytes} = await openInput(file, process.stdin)
  for await (const _ of through(bytes));
  return digest()
}
