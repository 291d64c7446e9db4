import {commandLine} from '../../core/command-line.js'
import {type CommandFacts, type FlagFacts, toCommandName} from '../../values/command-facts.js'
import {suggest} from '../../values/suggest.js'
import {findSecretNames, flagsOfKeys, type Job, type KnownCommands, type Place, toId} from './job.js'
import type {Entry, Report, Value} from './yaml-entries.js'

/** Commands that no job can be, with the reason. */
const refused: Readonly<Record<string, string>> = {
  'jobs:run': 'a job cannot run jobs; name them in one line: vendorctl jobs run A B',
  help: 'help is for people; name a command that reads or writes',
  'auth:login': 'auth login asks a person; log in once, and the job uses what is stored',
}

/** Why a command, by its id, cannot be a job with any flags. */
export function whyRefused(id: string): string | undefined {
  return Object.entries(refused).find(([one]) => `${id}:`.startsWith(`${one}:`))?.[1]
}

/** Whether a command asks somebody before it writes. */
export function asksFirst({flags = {}}: CommandFacts): boolean {
  return Object.hasOwn(flags, 'yes')
}

/** The facts of a command; reports why it cannot be one of a job. */
export function checkCommand(
  command: string,
  place: Place,
  known: KnownCommands | undefined,
  report: Report,
): CommandFacts | undefined {
  const id = toId(command)
  const reason = whyRefused(id)
  if (reason) report(place, reason)
  else if (!known) return undefined
  else if (Object.hasOwn(known, id)) return known[id]
  else report(place, `unknown command ${JSON.stringify(command)}${describeMeant(command, known)}`)
  return undefined
}

function describeMeant(command: string, known: KnownCommands): string {
  const name = command.replace(/^vendorctl /, '').split(/(?<! ) +(?=-)/)[0] ?? ''
  const commands = Object.keys(known).map(toCommandName)
  if (commands.includes(name)) return `; write ${name}, and flags below the key flags`
  const nearest = suggest(name, commands)
  const below = commands.filter((each) => each.startsWith(`${name} `))
  if (below.length > 0) return `; write one of: ${below.join(', ')}`
  return nearest ? `; did you mean ${nearest}?` : '; see all of them with: vendorctl --help'
}

type FlagCheck = {
  facts: CommandFacts
  command: string
  known: KnownCommands
  report: Report
  /** Whether it is below the key flags. */
  inFlags?: boolean
}

/** The facts of a flag; reports why the command has no such flag. */
export function checkFlag(key: string, place: Place, check: FlagCheck): FlagFacts | undefined {
  const {facts, command, known, report, inFlags = false} = check
  const flags = facts.flags ?? {}
  const own = [...flagsOfKeys, 'notify-url', 'notify-command']
  if (inFlags && own.includes(key)) {
    report(place, `${key} is a key of the job itself: write ${key.replace('notify-', 'notify: ')} beside command`)
    return undefined
  }
  const flag = Object.hasOwn(flags, key) ? flags[key] : Object.values(flags).find(({aliases}) => aliases?.includes(key))
  if (flag) return flag
  report(place, isSecretName(key) ? secretMessage(key) : describeUnknown(key, {flags, command, known}))
  return undefined
}

type Searched = {flags: Readonly<Record<string, FlagFacts>>; command: string; known: KnownCommands}

function describeUnknown(key: string, {flags, command, known}: Searched): string {
  const name = key.replace(/^-+/, '')
  const short = Object.entries(flags).find(([long, {char}]) => char === name || long === name)?.[0]
  if (short) return `unknown flag ${key} of ${command}; write ${short}`
  const others = Object.entries(known).filter(([, one]) => Object.hasOwn(one.flags ?? {}, key))
  const nearest = suggest(name, Object.keys(flags))
  if (others.length === 0 || nearest)
    return `unknown flag ${key} of ${command}${nearest ? `; did you mean ${nearest}?` : `; see: ${commandLine(command, [], {help: true})}`}`
  const names = others.map(([id]) => toCommandName(id))
  const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} and others` : names.join(', ')
  return `${key} is not a flag of ${command}; it is one of ${shown}`
}

/** Reports a write without a confirmation, which could never be sent unattended. */
export function checkWrite({command, flags, places, place}: Job, facts: CommandFacts, report: Report): void {
  const isAnswered = flags['yes'] === true || flags['dry-run'] === true || flags['confirm'] !== undefined
  if (asksFirst(facts) && !isAnswered) {
    report(
      places['command'] ?? place,
      `${command} asks before it writes, and at night nobody answers: set yes: true in flags`,
    )
  }
}

const secretName = /(^|[-_])(api[-_]?key|password|passwd|token|secret|authorization|credentials?)$/i
/** A header or a flag with a secret as its value. */
const secretText =
  /(?:^|[\s'"])(?:-{1,2}[\w-]*(?:password|token|secret|api-?key)[ =]|(?:authorization|proxy-authorization|cookie|x-api-key|x-[\w-]*(?:token|key|secret))\s*:\s*)(\S.*)/i
const passwordInUrl = /\w:\/\/[^/\s:@]+:([^/\s@]+)@/
/** Expansions of a shell, which this program does not make. */
const shellSyntax = /\$(?:\{(?![A-Za-z_]\w*\})[^}]*\}?|\([^)]*\)?|[A-Z_][A-Z0-9_]+)/

const control = /[\p{Cc}\p{Zl}\p{Zp}]/u
const variables = /\$\{[^}$]*\}/g
export const filePlaceholders = ['date', 'time', 'start', 'end', 'name']
const deliveryPlaceholders = ['file', 'manifest', 'name']

/** Whether a key is named as a secret is. */
export function isSecretName(key: string): boolean {
  return secretName.test(key)
}

export function secretMessage(key: string): string {
  return `${key}: a secret is never in the jobs file; vendorctl auth login stores it, or set VENDORCTL_API_KEY and VENDORCTL_PASSWORD`
}

/** Reports problems of the texts of a job, in any place: secrets, variables, placeholders. */
export function checkTexts({entries}: {entries: Entry[]}, report: Report): void {
  for (const {key, value} of entries) {
    forEachText(value, (text, place) => checkText(text, place, report))
    if (key === 'deliver')
      forEachText(value, (text, place) => checkPlaceholders(text, deliveryPlaceholders, place, report))
    if (key === 'args') checkArguments(value, report)
    const flags = key === 'flags' && value.kind === 'mapping' ? value.entries : []
    for (const {value: list} of flags.filter((each) => each.value.kind === 'list')) checkArguments(list, report)
    for (const flag of flags.filter((each) => each.key === 'output-file'))
      forEachText(flag.value, (text, place) => checkTemplate(text, flags, place, report))
  }
}

function forEachText(value: Value, look: (text: string, place: Place) => void): void {
  if (value.kind === 'text') look(value.text, value.place)
  if (value.kind === 'list') for (const one of value.values) forEachText(one, look)
  if (value.kind === 'mapping') for (const {value: one} of value.entries) forEachText(one, look)
}

function checkText(text: string, place: Place, report: Report): void {
  const secret = secretText.exec(text)?.[1] ?? passwordInUrl.exec(text)?.[1]
  if (secret !== undefined && !secret.includes('${'))
    report(place, `a secret is never in the jobs file: write the name of a variable instead, as in \${NAME}`)
  const [wrong] = shellSyntax.exec(text) ?? []
  if (wrong) report(place, `${wrong} is not filled in: write \${NAME}, the name of a variable and nothing else`)
  if (/^~[/\\]/.test(text)) report(place, `~ is not filled in: write \${HOME}${text.slice(1)}`)
}

/** Checks the arguments of a process: unlike other flags, they are visible to other users. */
function checkArguments(value: Value, report: Report): void {
  forEachText(value, (text, place) => {
    const [name] = findSecretNames(text)
    if (name === undefined) return
    report(place, `\${${name}} could be read in the list of processes; give it another name if it is no secret`)
  })
}

function checkPlaceholders(text: string, known: readonly string[], place: Place, report: Report): void {
  for (const [written, name = ''] of text.replace(variables, '').matchAll(/\{([^{}]*)\}/g)) {
    if (!known.includes(name))
      report(place, `unknown placeholder ${written}; known: ${known.map((one) => `{${one}}`).join(', ')}`)
  }
}

function checkTemplate(text: string, flags: readonly Entry[], place: Place, report: Report): void {
  if (control.test(text)) report(place, 'output-file contains a line break or another control character')
  checkPlaceholders(text, filePlaceholders, place, report)
  const path = text.replace(variables, '')
  if (path.includes('{') && /[/\\}]\.\.(?:[/\\]|$)/.test(path.slice(path.indexOf('{') + 1)))
    report(place, 'output-file leaves its folder: no .. after a placeholder')
  if (path.includes('{name}') && !flags.some(({key}) => key === 'since-last'))
    report(place, '{name} is that of since-last, which is not set in flags')
}
