import {homedir} from 'node:os'
import {join} from 'node:path'
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
