import {resolve} from 'node:path'
import type {Environment} from './environment.js'
import {configPath, statePath} from './folder-paths.js'
import {checkUnshared} from './owner-and-mode.js'

/**
 * The folder of profiles and credentials. Throws `unsafe` where others could change files in it, because a profile names
 * commands to run.
 */
export function configFolder(environment: Environment): string {
  return checked(configPath(environment), 'The config folder', 'XDG_CONFIG_HOME')
}

/** The folder of tokens, journals and the state of the sandbox. Throws `unsafe` likewise. */
export function stateFolder(environment: Environment): string {
  return checked(statePath(environment), 'The state folder', 'XDG_STATE_HOME')
}

function checked(path: string, what: string, variable: string): string {
  checkUnshared(resolve(path), what, `Or set ${variable} to a folder in which nobody else can write.`)
  return path
}
