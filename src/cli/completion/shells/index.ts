import {basename} from 'node:path'
import {bash} from './bash.js'
import {fish} from './fish.js'
import {powershell} from './powershell.js'
import {type Shell, type ShellName, shellNames} from './shell.js'
import {zsh} from './zsh.js'

export const shells = {bash, zsh, fish, powershell} as const satisfies Record<ShellName, Shell>

export function findShell(name: string): Shell | undefined {
  return Object.hasOwn(shells, name) ? shells[name as ShellName] : undefined
}

/** The shell of this user as far as the environment says; Bash when it does not. */
export function guessShell(environment: Readonly<Record<string, string | undefined>>): ShellName {
  const name = basename(environment['SHELL'] ?? '')
  const isPowerShell = environment['SHELL'] === undefined && environment['PSModulePath'] !== undefined
  return shellNames.find((known) => known === name) ?? (isPowerShell ? 'powershell' : 'bash')
}

/** Setup of completion in a shell, in words. */
export function describeSetup(name: ShellName): string {
  const {file, line} = shells[name].setup
  const others = shellNames.filter((other) => other !== name).join(', ')
  return `To complete commands, flags and their values with Tab in ${name}, add this line to ${file}:

  ${line}

Then open a new shell. In this one, run the line once.

  vendorctl <Tab>                       commands
  vendorctl machines list --<Tab>       flags
  vendorctl machines list --stage <Tab> values

For other shells: vendorctl autocomplete ${others.replaceAll(', ', '|')}
`
}
