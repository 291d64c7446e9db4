import {CliFailure} from '../errors.js'
import {registerPath} from '../state/export-tables.js'
import {setAsideRegister} from '../state/set-aside-register.js'
import type {Environment} from './environment.js'
import {stateFolder} from './folders.js'
import {systemTimes} from './run-record.js'

/** Keeps the register of exports under another name. Throws `usage` for one that can be read. */
export function setAsideExports(environment: Environment, ids: readonly string[], note: (text: string) => void) {
  const path = registerPath(stateFolder(environment))
  const isMeant = ids.length === 1 && ids[0] === 'exports'
  const aside = isMeant ? setAsideRegister(path, systemTimes.now()) : undefined
  if (aside !== undefined) {
    note(`Set aside: ${aside}. Earlier exports are no longer known; each --since-last needs --start once.`)
    return [{id: 'exports', path: aside}]
  }

  const why = isMeant ? `The register of exports can be read: ${path}` : '--damaged needs the name: exports'
  throw new CliFailure(`${why}; nothing was set aside.`, {code: 'NOT_DAMAGED', exit: 'usage'})
}
