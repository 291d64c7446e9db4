import {homedir} from 'node:os'
import {join} from 'node:path'
import type {Environment} from './environment.js'

/** Where profiles and credentials lie: `$XDG_CONFIG_HOME/vendorctl`, on Windows `%APPDATA%\vendorctl`. Nothing is checked. */
export function configPath(environment: Environment): string {
  return join(environment['XDG_CONFIG_HOME'] || environment['APPDATA'] || join(homedir(), '.config'), 'vendorctl')
}

/** Where tokens, journals and the sandbox's whereabouts lie: `$XDG_STATE_HOME/vendorctl`. Nothing is checked. */
export function statePath(environment: Environment): string {
  const home = environment['XDG_STATE_HOME'] || environment['LOCALAPPDATA'] || join(homedir(), '.local', 'state')
  return join(home, 'vendorctl')
}
