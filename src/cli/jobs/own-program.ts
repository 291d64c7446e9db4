import {join} from 'node:path'
import {isSea} from 'node:sea'

/** How this executable starts the program again: no arguments when the program is embedded in it. */
export function ownProgram(root: string): {file: string; args: string[]} {
  return {file: process.execPath, args: isSea() ? [] : [...process.execArgv, join(root, 'bin', 'run.js')]}
}
