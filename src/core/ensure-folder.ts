import {CliFailure} from './errors.js'
import {makePrivateFolder} from './private-folder.js'

/** Makes a folder that only its owner can enter. Throws `storage` where none can be made. */
export function ensurePrivateFolder(path: string): void {
  try {
    makePrivateFolder(path)
  } catch (error) {
    throw new CliFailure(`The folder ${path} cannot be made (${(error as NodeJS.ErrnoException).code}).`, {
      code: 'STATE_UNWRITABLE',
      exit: 'storage',
      retry: 'after-fix',
      hints: ['Set HOME, or XDG_CONFIG_HOME and XDG_STATE_HOME, to folders that can be written.'],
      cause: error,
    })
  }
}
