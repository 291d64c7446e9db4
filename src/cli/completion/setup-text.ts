import {basename} from 'node:path'
import {type ShellName, shellNames} from './shell-names.js'
import {shells} from './shells/index.js'

/** The shell of this user as far as the environment says; Bash when it does not. */
export function guessShell(environment: Readonly<Record<string, string | undefined>>): ShellName {
  const name = basename(environment['SHELL'] ?? '')
  const isPowerShell = environment['SHELL'] === undefined && environment['PSModulePath'] !== undefined
  return shellNames.find((known) => known === name) ?? (isPowerShell ? 'powershell' : 'bash')
}

/** How completion is set up in a shell, in words. */
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
