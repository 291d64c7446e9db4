import {type ExitName, exitCodes} from '../../contract/exit-codes.js'
import type {CommandFacts} from '../../values/command-facts.js'

/** A command by its id, a test for any of some flags, and its arguments. */
type Facts = {id: string; has: (...flags: string[]) => boolean; args: readonly string[]}

/** Whether a command can end with an exit code. */
type Rule = (command: Facts) => boolean

const always: Rule = () => true
const sendsRequests: Rule = ({has}) => has('max-requests')
const writes: Rule = ({has, id}) => has('set-size', 'rejects') || id === 'runs:reconcile'
const reads: Rule = ({has}) => has('page-size', 'require-grade', 'sample')
const asksDatabase: Rule = ({id}) => id === 'sql' || id === 'sync'

const changesState = /^(runs:|exports:(reset|share)|sandbox:start|profiles:(set|use|remove)|auth:log|doctor)/

const rules: Readonly<Record<ExitName, Rule>> = {
  ok: always,
  failure: always,
  usage: always,
  invalid: (command) =>
    command.has('file', 'set-size', 'jobs-file', 'since-last') ||
    asksDatabase(command) ||
    (command.args.includes('file') && !/^runs:/.test(command.id)) ||
    command.id === 'exports:share',
  denied: (command) => command.has('profile') || command.id === 'exports:share' || asksDatabase(command),
  refused: sendsRequests,
  partial: writes,
  inDoubt: (command) => writes(command) || command.id === 'api',
  limited: sendsRequests,
  empty: ({has, id}) => has('fail-on-empty') || id === 'runs:resume',
  incomplete: (command) =>
    reads(command) || asksDatabase(command) || writes(command) || /^(doctor|reports:changes)$/.test(command.id),
  changes: ({has}) => has('detailed-exitcode'),
  storage: always,
  locked: ({has, id}) =>
    has('set-size', 'output-file') || id === 'sync' || (changesState.test(id) && !/^runs:(list|show)/.test(id)),
  unsafe: ({has, id}) => has('profile') || id === 'sql' || /^(runs|profiles|sandbox|jobs):/.test(id),
  unavailable: (command) =>
    sendsRequests(command) || asksDatabase(command) || /^(sandbox:(?!start)|notify:|exports:)/.test(command.id),
  unknownCommand: ({id}) => id === 'help',
  hungUp: always,
  interrupted: always,
  terminated: always,
}

/** Possible exits of a command. */
export function exitsOf(id: string, {flags = {}, args = {}}: CommandFacts): ExitName[] {
  const command = {id, has: (...names: string[]) => names.some((name) => name in flags), args: Object.keys(args)}
  const names = Object.keys(exitCodes) as ExitName[]
  if (id === 'jobs:run') return names.filter((name) => name !== 'unknownCommand') // those of what it runs
  return names.filter((name) => rules[name](command))
}
