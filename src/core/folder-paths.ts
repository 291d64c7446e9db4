import {homedir} from 'node:os'
import {join} from 'node:path'
import type {Environment} from './environment.js'

/** The folder of the profiles of all users of this machine, which an administrator keeps. */
export const systemPath = '/etc/vendorctl'

/** The folder of profiles and credentials, unchecked: `$XDG_CONFIG_HOME/vendorctl`, on Windows `%APPDATA%\vendorctl`. */
export function configPath(environment: Environment): string {
  return join(environment['XDG_CONFIG_HOME'] || environment['APPDATA'] || join(homedir(), '.config'), 'vendorctl')
}

/** The folder of tokens, journals and the state of the sandbox, unchecked: `$XDG_STATE_HOME/vendorctl`. */
export function statePath(environment: Environment): string {
  const home = environment['XDG_STATE_HOME'] || environment['LOCALAPPDATA'] || join(homedir(), '.local', 'state')
  return join(home, 'vendorctl')
}
