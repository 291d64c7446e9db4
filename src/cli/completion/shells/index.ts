import type {ShellName} from '../shell-names.js'
import {bash} from './bash.js'
import {fish} from './fish.js'
import {powershell} from './powershell.js'
import type {Shell} from './shell.js'
import {zsh} from './zsh.js'

export const shells = {bash, zsh, fish, powershell} as const satisfies Record<ShellName, Shell>

export function findShell(name: string): Shell | undefined {
  return Object.hasOwn(shells, name) ? shells[name as ShellName] : undefined
}
