import {describe, expect, test} from 'vitest'
import {readCommandLine} from '../../../src/cli/start/start.js'
import {
  toNoCommand,
  toUnexpectedArgument,
  toUnknownCommand,
  toUnknownSubject,
} from '../../../src/cli/start/unknown-command.js'
import {commandIds, facts, topics} from '../help/facts.js'

const commands = Object.fromEntries(
  Object.entries(facts.commands).map(([id, {args}]) => [id, {takesArguments: Object.keys(args ?? {}).length > 0}]),
)
const topicIds = topics.map((topic) => topic.replaceAll(' ', ':'))
const known = [...commandIds, ...topicIds]

/** The failure of words that name no command of the program. */
function failureOf(words: readonly string[]) {
  const asked = readCommandLine(words, commands, topicIds)
  if (asked.kind === 'unknown') return toUnknownCommand(asked.args, known)
  if (asked.kind === 'help') return toUnknownSubject(words, known)
  if (asked.kind === 'noCommand') return toNoCommand(asked, commandIds)
  if (asked.kind === 'unexpected') return toUnexpectedArgument(asked.id, asked.argument)
  throw new Error(`${words} is ${asked.kind}`)
}

describe('a command that is not known', () => {
  test.each([
    [['machine', 'list'], 'machine list', 'vendorctl machines list'],
    [['machines', 'lst'], 'machines lst', 'vendorctl machines list'],
    [['sits', 'create'], 'sits create', 'vendorctl sites create'],
    [['sites', 'crate', '--help'], 'sites crate', 'vendorctl sites create'],
    [['help', 'machines', 'lst'], 'machines lst', 'vendorctl machines list'],
    [['version'], 'version', 'vendorctl --version'],
    [['completion'], 'completion', 'vendorctl autocomplete'],
    [['login'], 'login', 'vendorctl auth login'],
    [['sites', 'help'], 'sites help', 'vendorctl sites --help'],
    [['machines', 'custom-data', 'help'], 'machines custom-data help', 'vendorctl machines custom-data --help'],
  ])('is exit 127 and the nearest is named: %j', (words, named, meant) => {
    const {message, hints, exitCode} = failureOf(words)

    expect({message, exitCode}).toEqual({message: `Unknown command "${named}".`, exitCode: 127})
    expect(hints).toEqual([`Did you mean: ${meant}`, 'See all commands with: vendorctl --help'])
  })

  test.each([
    ['export july.csv', ['reports transactions', 'sites list', 'help exporting']],
    ['config set stage=v1', ['profiles show', 'profiles set']],
    ['status', ['auth status', 'runs list', 'doctor']],
    ['stock', ['selections list', 'selections adjust', 'help prices']],
    ['move 5001', ['machines update', 'help prices']],
    ['undo latest', ['runs undo']],
    ['help inventory', ['reports inventory']],
    ['verify', ['reports verify']],
  ])('leads from the name of a task to its commands: %s', (line, meant) => {
    const {hints, exitCode} = failureOf(line.split(' '))

    expect(exitCode).toBe(127)
    expect(hints.slice(0, -1)).toEqual(
      meant.map((name, place) => `${place ? 'Or' : 'Did you mean'}: vendorctl ${name}`),
    )
    expect(meant.filter((name) => !known.includes(name.replaceAll(' ', ':')) && !name.startsWith('help '))).toEqual([])
  })

  test.each(['machines delete', 'nonsense'])('is exit 127, however far it is from any other: %s', (line) => {
    const {hints, exitCode} = failureOf(line.split(' '))

    expect(exitCode).toBe(127)
    expect(hints.at(-1)).toBe('See all commands with: vendorctl --help')
  })
})

test.each([
  [['machines', 'list', 'everything', 'now'], 'Unexpected argument: everything', 'vendorctl machines list --help'],
  [
    ['sites', '-f', 'sites.csv', '--yes'],
    '"sites" needs a command: apply, create, delete, list, update.',
    'vendorctl sites --help',
  ],
  [['machines', 'custom-data', '-y'], 'needs a command: create.', 'vendorctl machines custom-data --help'],
  [['sites', ''], '"sites" needs a command', 'vendorctl sites --help'],
  [[''], 'The command is empty.', 'vendorctl --help'],
  [['-p', 'a b', 'machines', 'list'], 'Put flags after the command.', "Write: vendorctl machines list -p 'a b'"],
  [['-p', 'x', 'machines'], 'Put flags after the command, e.g. vendorctl sites list -p.', 'vendorctl --help'],
  [['--versoin'], 'Unknown flag --versoin.', 'Did you mean --version?'],
  [['--hlep'], 'Unknown flag --hlep.', 'Did you mean --help?'],
  [['--quiet'], 'Put flags after the command, e.g. vendorctl sites list --quiet.', 'vendorctl --help'],
])('words that name no command are exit 2: %j', (words, says, hint) => {
  const {message, hints, exitCode} = failureOf(words)

  expect(exitCode).toBe(2)
  expect(message).toContain(says)
  expect(hints.join('\n')).toContain(hint)
})
