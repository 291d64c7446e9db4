import {join} from 'node:path'
import Conf from 'conf'
import {shellQuote} from '../core/command-line.js'
import {CliFailure} from '../core/errors.js'
import {underLock} from '../core/lock.js'
import {ensurePrivateFolder, hasPrivateFile} from '../core/private-file.js'
import {isRecord, type JsonValue} from '../values/json.js'

type Stored = Record<string, unknown>

export type StoreOptions<Kept> = {
  folder: string
  /** Name of the file, without its ending. */
  name: 'profiles' | 'credentials'
  /** Settings may be read by others; credentials may not. */
  kept: 'settings' | 'credentials'
  /** The content while there is no file. */
  empty: Kept
}

const privateFileMode = 0o600
/** Saving takes a moment; a longer wait is for a process that hangs. */
const patienceMilliseconds = 30_000

/** One file of settings or credentials, which conf reads and writes once its owner and mode were checked. */
export class Store<Kept extends Stored> {
  readonly path: string
  readonly #options: StoreOptions<Kept>

  constructor(options: StoreOptions<Kept>) {
    this.#options = options
    this.path = join(options.folder, `${options.name}.json`)
  }

  /** The content of the file. Throws `unsafe` for a file that others can use, and `storage`. */
  read(): Kept {
    if (!hasPrivateFile(this.path, this.#options.kept)) return this.#options.empty
    try {
      return this.#open().store
    } catch (error) {
      throw error instanceof SyntaxError ? this.#damaged() : error
    }
  }

  /**
   * Changes what is stored, in one step: no other process saves between reading and writing, and the file is replaced
   * completely or not at all. Throws `locked` when other processes never finish, and `storage`.
   */
  async change(change: (kept: Kept) => Kept): Promise<void> {
    ensurePrivateFolder(this.#options.folder)
    const patience = {milliseconds: patienceMilliseconds, onNetworkToo: true}
    try {
      await underLock(`${this.path}.lock`, `The lock of ${this.path}`, patience, () => {
        const next = change(this.read())
        this.#open().store = next
      })
    } catch (error) {
      throw error instanceof CliFailure && error.code !== 'STATE_UNWRITABLE' ? error : cannotSave(this.path, error)
    }
  }

  #open(): Conf<Kept> {
    const {folder: cwd, name: configName} = this.#options
    return new Conf<Kept>({
      cwd,
      configName,
      configFileMode: privateFileMode,
      accessPropertiesByDotNotation: false,
      deserialize: parseObject,
    })
  }

  #damaged(): CliFailure {
    const login = this.#options.kept === 'credentials' ? ' and run: vendorctl auth login' : ', or fix it by hand.'
    return new CliFailure(`The ${this.#options.name} in ${this.path} cannot be read: the file is not a JSON object.`, {
      code: 'STATE_DAMAGED',
      hints: [`Remove the file (rm ${shellQuote(this.path)})${login}`],
    })
  }
}

/** Throws `SyntaxError` for a list, a number or the like too, which conf would take for nothing stored. */
function parseObject<Kept>(text: string): Kept {
  const value: unknown = JSON.parse(text)
  if (!isRecord(value as JsonValue)) throw new SyntaxError('not an object')
  return value as Kept
}

function cannotSave(path: string, error: unknown): CliFailure {
  const {code, message} = ((error instanceof CliFailure ? error.cause : error) ?? error) as NodeJS.ErrnoException
  return new CliFailure(`Cannot save ${path} (${code ?? message.split('\n')[0]})`, {
    code: 'STATE_UNWRITABLE',
    hints: ['Free some space, or set XDG_CONFIG_HOME to a folder that can be written.'],
    cause: error,
  })
}
