import {join} from 'node:path'
import Conf from 'conf'
import {CliFailure} from '../../core/errors.js'
import {underLock} from '../../core/lock.js'
import {ensurePrivateFolder} from '../../core/private-folder.js'

type Stored = Record<string, unknown>

/** Where one file of settings lies, and how what it holds is read. */
export type StorePlace<Kept extends Stored> = {folder: string; name: string; read: () => Kept}

const privateFileMode = 0o600
/** Saving takes a moment; whoever is kept out for longer waits for a process that stands still. */
const patienceMilliseconds = 30_000

/**
 * Changes a file of settings that only its owner can read. The change is made to what the file holds while no other
 * process saves, and is written completely or not at all. Throws `locked` when others never let go, and `storage`.
 */
export async function changeStore<Kept extends Stored>(
  {folder, name, read}: StorePlace<Kept>,
  change: (kept: Kept) => Kept,
): Promise<void> {
  ensurePrivateFolder(folder)
  const path = join(folder, `${name}.json`)
  try {
    const patience = {milliseconds: patienceMilliseconds, onNetworkToo: true}
    await underLock(`${path}.lock`, `The lock of ${path}`, patience, () => {
      const next = change(read())
      new Conf<Stored>({
        cwd: folder,
        configName: name,
        configFileMode: privateFileMode,
        accessPropertiesByDotNotation: false,
      }).store = next
    })
  } catch (error) {
    throw error instanceof CliFailure && error.code !== 'STATE_UNWRITABLE' ? error : cannotSave(path, error)
  }
}

function cannotSave(path: string, error: unknown): CliFailure {
  const {code, message} = ((error instanceof CliFailure ? error.cause : error) ?? error) as NodeJS.ErrnoException
  return new CliFailure(`Cannot save ${path} (${code ?? message.split('\n')[0]})`, {
    code: 'STATE_UNWRITABLE',
    exit: 'storage',
    retry: 'after-fix',
    hints: ['Make room, or set XDG_CONFIG_HOME to a folder that can be written.'],
    cause: error,
  })
}
