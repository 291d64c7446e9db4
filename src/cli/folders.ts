import {homedir} from 'node:os'
import {join} from 'node:path'
import {CliFailure} from '../errors.js'
import {makePrivateFolder} from '../private-folder.js'
import type {Environment} from './environment.js'

/** Where profiles and credentials lie: `$XDG_CONFIG_HOME/vendorctl`, on Windows `%APPDATA%\vendorctl`. */
export function configFolder(environment: Environment): string {
  return join(environment['XDG_CONFIG_HOME'] || environment['APPDATA'] || join(homedir(), '.config'), 'vendorctl')
}

/** Where tokens and the sandbox's whereabouts lie: `$XDG_STATE_HOME/vendorctl`. */
export function stateFolder(environment: Environment): string {
  const home = environment['XDG_STATE_HOME'] || environment['LOCALAPPDATA'] || join(homedir(), '.local', 'state')
  return join(home, 'vendorctl')
}

/** Makes a folder that only its owner can enter. Throws `storage` where none can be made. */
export function ensurePrivateFolder(path: string): void {
  try {
    makePrivateFolder(path)
  } catch (error) {
    throw new CliFailure(`The folder ${path} cannot be made (${(error as NodeJS.ErrnoException).code})`, {
      code: 'STATE_UNWRITABLE',
      exit: 'storage',
      retry: 'after-fix',
      hints: ['Set HOME, or XDG_CONFIG_HOME and XDG_STATE_HOME, to folders that can be written.'],
      cause: error,
    })
  }
}
