import {describe, expect, test} from 'vitest'
import type {Asked} from '../../../src/cli/app/program.js'
import {readCommandLine} from '../../../src/cli/start/start.js'

const commands = {
  'sites:create': {takesArguments: false},
  'runs:show': {takesArguments: true},
  'sandbox:faults': {takesArguments: false},
  'sandbox:faults:set': {takesArguments: true},
}
const topics = ['sites', 'runs', 'sandbox', 'sandbox:faults', 'machines:custom-data']
const read = (line: string): Asked => readCommandLine(line === '' ? [] : line.split(' '), commands, topics)

describe('the words behind the name of the program', () => {
  test.for([
    ['sites create', 'sites:create', []],
    ['sites:create --file x.csv', 'sites:create', ['--file', 'x.csv']],
    ['sites create -f x.csv --dry-run', 'sites:create', ['-f', 'x.csv', '--dry-run']],
    ['sites create -- x', 'sites:create', ['--', 'x']],
    ['runs show r-1 --json', 'runs:show', ['r-1', '--json']],
    ['sandbox faults --json', 'sandbox:faults', ['--json']],
    ['sandbox faults set reset@*', 'sandbox:faults:set', ['reset@*']],
  ] as const)('%s name a command', ([line, id, words]) => {
    expect(read(line)).toEqual({kind: 'command', id, args: words})
  })

  test.for(['', '--help', '-h', 'help', 'help sites', 'sites', 'sites create -f x.csv -h --json', 'nonsense --help'])(
    '"%s" ask for help',
    (line) => {
      expect(read(line)).toEqual({kind: 'help'})
    },
  )

  test.for(['--version', '-V', '--version --json'])('%s asks for the version', (line) => {
    expect(read(line)).toEqual({kind: 'version'})
  })

  test('behind -- ask for nothing', () => {
    expect(read('sites create -- --help')).toEqual({kind: 'command', id: 'sites:create', args: ['--', '--help']})
  })

  test('behind a command that takes none are too many', () => {
    expect(read('sites create now')).toEqual({kind: 'unexpected', id: 'sites:create', argument: 'now'})
    expect(read('sandbox faults now')).toEqual({kind: 'unexpected', id: 'sandbox:faults', argument: 'now'})
  })

  test.for([
    ['site create', ['site', 'create']],
    ['sites delete 3', ['sites', 'delete', '3']],
  ] as const)('%s are not known', ([line, words]) => {
    expect(read(line)).toEqual({kind: 'unknown', args: words})
  })

  test.for([
    ['sites -f sites.csv --yes --json', 'sites'],
    ['machines custom-data --json', 'machines:custom-data'],
    ['sites:  -y', 'sites'],
    ['sites -- create', 'sites'],
    ['-p sandbox sites create', ''],
    ['--json', ''],
    ['--versionx', ''],
  ] as const)('%s have flags and no command', ([line, topic]) => {
    expect(read(line)).toEqual({kind: 'noCommand', topic, args: expect.any(Array)})
  })

  test.for([
    [[''], 'noCommand'],
    [['sites', ''], 'noCommand'],
    [['', 'sites', 'create'], 'unknown'],
  ] as const)('that are empty are no command: %j', ([words, kind]) => {
    expect(readCommandLine(words, commands, topics)).toMatchObject({kind})
  })

  test('of inherited properties are not commands', () => {
    expect(read('constructor')).toEqual({kind: 'unknown', args: ['constructor']})
    expect(read('toString __proto__')).toEqual({kind: 'unknown', args: ['toString', '__proto__']})
  })
})
