import {mkdirSync} from 'node:fs'
import {homedir} from 'node:os'
import {join} from 'node:path'
import type {Environment} from './environment.js'

const privateFolderMode = 0o700

/** Where profiles and credentials lie: `$XDG_CONFIG_HOME/vendorctl`, on Windows `%APPDATA%\vendorctl`. */
export function configFolder(environment: Environment): string {
  return join(environment['XDG_CONFIG_HOME'] || environment['APPDATA'] || join(homedir(), '.config'), 'vendorctl')
}

/** Where tokens and the sandbox's whereabouts lie: `$XDG_STATE_HOME/vendorctl`. */
export function stateFolder(environment: Environment): string {
  const home = environment['XDG_STATE_HOME'] || environment['LOCALAPPDATA'] || join(homedir(), '.local', 'state')
  return join(home, 'vendorctl')
}

/** Makes a folder that only its owner can enter. Throws what the file system throws. */
export function ensurePrivateFolder(path: string): void {
  mkdirSync(path, {recursive: true, mode: privateFolderMode})
}
