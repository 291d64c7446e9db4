import {join} from 'node:path'
import {commandLine} from '../../core/command-line.js'

/** Version of the tables of the register. */
export const registerVersion = 2

export const registerName = 'The register of exports'
/** The marks of `--since-last` and coverage are in it, so nothing replaces it silently. */
export const registerHints = [
  `Set it aside, with what it knows of earlier exports: ${commandLine('runs remove', ['exports'], {damaged: true})}`,
]

/** Counts invalid rows of the tables that every version has. */
export const registerSound = `
  (SELECT count(*) FROM watermark WHERE NOT json_valid(keys))
  + (SELECT count(*) FROM longest WHERE 0) + (SELECT count(*) FROM covered WHERE 0)
`

export function registerPath(stateFolder: string): string {
  return join(stateFolder, 'exports.db')
}
