import {commandLine} from '../../core/command-line.js'
import {suggest} from '../../values/suggest.js'
import {isSecretName, secretMessage} from './check-texts.js'
import {flagsOfKeys, type Job, type KnownCommand, type KnownCommands, type KnownFlag, type Place, toId} from './job.js'
import type {Report} from './read-values.js'

/** Commands that no job can be, with the reason. */
const refused: Readonly<Record<string, string>> = {
  'jobs:run': 'a job cannot run jobs; name them in one line: vendorctl jobs run A B',
  help: 'help is for people; name a command that reads or writes',
  'auth:login': 'auth login asks a person; log in once, and the job uses what is stored',
}

/** Whether a command, by its id, can be no job. */
export function isRefused(id: string): boolean {
  return Object.hasOwn(refused, id)
}

/** Whether a command asks somebody before it writes. */
export function asksFirst({flags = {}}: KnownCommand): boolean {
  return Object.hasOwn(flags, 'yes')
}

/** What is known of the command of a job; reports why it can be none. */
export function checkCommand(
  command: string,
  place: Place,
  known: KnownCommands | undefined,
  report: Report,
): KnownCommand | undefined {
  const id = toId(command)
  const reason = isRefused(id) ? refused[id] : undefined
  if (reason) report(place, reason)
  else if (!known) return undefined
  else if (Object.hasOwn(known, id)) return known[id]
  else report(place, `unknown command ${JSON.stringify(command)}${describeMeant(command, known)}`)
  return undefined
}

function describeMeant(command: string, known: KnownCommands): string {
  const words = command.replace(/^vendorctl /, '').split(/(?<! ) +(?=-)/)[0] ?? ''
  const commands = Object.keys(known).map((id) => id.replaceAll(':', ' '))
  if (commands.includes(words)) return `; write ${words}, and flags below the key flags`
  const nearest = suggest(words, commands)
  const below = commands.filter((each) => each.startsWith(`${words} `))
  if (below.length > 0) return `; write one of: ${below.join(', ')}`
  return nearest ? `; did you mean ${nearest}?` : '; see all of them with: vendorctl --help'
}

type FlagCheck = {
  facts: KnownCommand
  command: string
  known: KnownCommands
  report: Report
  /** Whether it stands below the key flags. */
  inFlags?: boolean
}

/** What is known of a flag of a command; reports why the command has none of this name. */
export function checkFlag(key: string, place: Place, check: FlagCheck): KnownFlag | undefined {
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

type Searched = {flags: Readonly<Record<string, KnownFlag>>; command: string; known: KnownCommands}

function describeUnknown(key: string, {flags, command, known}: Searched): string {
  const name = key.replace(/^-+/, '')
  const short = Object.entries(flags).find(([long, {char}]) => char === name || long === name)?.[0]
  if (short) return `unknown flag ${key} of ${command}; write ${short}`
  const others = Object.entries(known).filter(([, one]) => Object.hasOwn(one.flags ?? {}, key))
  const nearest = suggest(name, Object.keys(flags))
  if (others.length === 0 || nearest) {
    return `unknown flag ${key} of ${command}${nearest ? `; did you mean ${nearest}?` : `; see: ${commandLine(command, [], {help: true})}`}`
  }
  const names = others.map(([id]) => id.replaceAll(':', ' '))
  const shown = names.length > 3 ? `${names.slice(0, 3).join(', ')} and others` : names.join(', ')
  return `${key} is not a flag of ${command}; it is one of ${shown}`
}

/** A write that nobody confirmed can never be sent at night. */
export function checkWrite({command, flags, places, place}: Job, facts: KnownCommand, report: Report): void {
  const isAnswered = flags['yes'] === true || flags['dry-run'] === true || flags['confirm'] !== undefined
  if (asksFirst(facts) && !isAnswered) {
    report(
      places['command'] ?? place,
      `${command} asks before it writes, and at night nobody answers: set yes: true in flags`,
    )
  }
}
