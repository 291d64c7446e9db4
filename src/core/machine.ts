import {closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {hostname, userInfo} from 'node:os'
import {join} from 'node:path'
import {CliFailure} from './errors.js'
import {makePrivateFolder} from './private-file.js'
import {stateFailure} from './state-failure.js'

/** Identity of a machine: its name for people, and an id that no other state folder has. Neither is a secret. */
export type Machine = {id: string; host: string}

/** The user of the program and the machine, for people. */
export function identifyUser(): {user: string; host: string} {
  return {user: nameUser(), host: hostname()}
}

/** The number of a user without a name, as containers have them. */
function nameUser(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? '')
  }
}

const what = 'The id of this machine'
const shape = /^[0-9a-f]{32}$/

/**
 * The machine of a state folder; the first call gives it its id, which stays. Machines that were copied from
 * one image differ by their host names. Throws a `CliFailure` (storage) when it can be neither read nor made.
 */
export function identifyMachine(stateFolder: string): Machine {
  const path = join(stateFolder, 'machine')
  const host = hostname()
  try {
    if (!existsSync(path)) make(stateFolder, path)
    const id = readFileSync(path, 'utf8').trim()
    if (shape.test(id)) return {id: `${host}/${id}`, host}
  } catch (error) {
    throw stateFailure(error, what, path)
  }
  throw new CliFailure(`${what} is damaged: ${path}`, {
    code: 'STATE_DAMAGED',
    hints: ['Move the file away: the machine gets a new id, as if its state folder were new.'],
  })
}

/** Makes the file complete under its name, so that nobody reads a part of it. The first of several processes wins. */
function make(folder: string, path: string): void {
  const part = `${path}.${crypto.randomUUID()}.part`
  makePrivateFolder(folder)
  try {
    const file = openSync(part, 'wx', 0o600)
    try {
      writeFileSync(file, `${crypto.randomUUID().replaceAll('-', '')}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    linkSync(part, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(part, {force: true})
  }
}
