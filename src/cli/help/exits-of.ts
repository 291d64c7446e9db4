import {type ExitName, exitCodes} from '../../contract/exit-codes.js'
import type {CommandFacts} from './facts.js'

/** Whether a command can end with an exit code: from its id, a test for any of some flags, and its arguments. */
type Rule = (has: (...flags: string[]) => boolean, id: string, args: readonly string[]) => boolean

const always: Rule = () => true
const sendsRequests: Rule = (has) => has('max-requests')
const writes: Rule = (has, id) => has('set-size', 'rejects') || id === 'runs:reconcile'
const reads: Rule = (has) => has('page-size', 'require-grade', 'sample')

const asksDatabase: Rule = (_, id) => id === 'sql' || id === 'sync'

const changesState = /^(runs:|exports:(reset|share)|sandbox:start|profiles:(set|use|remove)|auth:log|doctor)/

const rules: Readonly<Record<ExitName, Rule>> = {
  ok: always,
  failure: always,
  usage: always,
  invalid: (has, id, args) =>
    has('file', 'set-size') ||
    asksDatabase(has, id, args) ||
    (args.includes('file') && !/^runs:/.test(id)) ||
    has('jobs-file', 'since-last') ||
    id === 'exports:share',
  denied: (...facts) => facts[0]('profile') || facts[1] === 'exports:share' || asksDatabase(...facts),
  refused: sendsRequests,
  partial: writes,
  inDoubt: (...facts) => writes(...facts) || facts[1] === 'api',
  limited: sendsRequests,
  empty: (has, id) => has('fail-on-empty') || id === 'runs:resume',
  incomplete: (...facts) =>
    reads(...facts) || asksDatabase(...facts) || writes(...facts) || /^(doctor|reports:changes)$/.test(facts[1]),
  changes: (has) => has('detailed-exitcode'),
  storage: always,
  locked: (has, id) =>
    has('set-size', 'output-file') || id === 'sync' || (changesState.test(id) && !/^runs:(list|show)/.test(id)),
  unsafe: (has, id) => has('profile') || id === 'sql' || /^(runs|profiles|sandbox|jobs):/.test(id),
  unavailable: (...facts) =>
    sendsRequests(...facts) || asksDatabase(...facts) || /^(sandbox:(?!start)|notify:|exports:)/.test(facts[1]),
  unknownCommand: (_, id) => id === 'help',
  hungUp: always,
  interrupted: always,
  terminated: always,
}

/** How a command can end. */
export function exitsOf(id: string, {flags = {}, args = {}}: CommandFacts): ExitName[] {
  const has = (...names: string[]) => names.some((name) => name in flags)
  const names = Object.keys(exitCodes) as ExitName[]
  if (id === 'jobs:run') return names.filter((name) => name !== 'unknownCommand') // those of what it runs
  return names.filter((name) => rules[name](has, id, Object.keys(args)))
}
