import {expect, test} from 'vitest'
import {sayParserError} from '../../../src/cli/app/parser-words.js'

const help = '\nSee more help with --help'

test.for([
  ['Parsing --limit \n\tExpected an integer but received: ', '--limit is not a whole number: "".'],
  ['Parsing --limit \n\tExpected an integer but received: x', '--limit is not a whole number: "x".'],
  [
    'Parsing --limit \n\tExpected an integer greater than or equal to 0 but received: -1',
    '--limit is less than 0: "-1".',
  ],
  [
    'Parsing --port \n\tExpected an integer less than or equal to 65535 but received: 70000',
    '--port is more than 65535: "70000".',
  ],
  ['Expected --stage=v9 to be one of: rc, v1', '--stage is none of rc, v1: "v9".'],
  ['Expected tcsh to be one of: bash, zsh', 'The word "tcsh" is none of bash, zsh.'],
  ['Flag --output expects one of these values: table, csv', '--output needs a value: one of table, csv.'],
  ['Flag --limit expects a value', '--limit needs a value.'],
  ['Flag --limit can only be specified once', '--limit is given more than once.'],
  [
    'The following error occurred:\n  \u001b[2mAt least one of the following must be provided: --apply-plan, --file\u001b[22m',
    'One of --file and --apply-plan is needed.',
  ],
  [
    'The following error occurred:\n  All of the following must be provided when using --detailed-exitcode: --dry-run',
    '--detailed-exitcode needs --dry-run.',
  ],
  [
    'The following errors occurred:\n  --atomic=true cannot also be provided when using --apply-plan\n  Missing required flag operation',
    '--atomic and --apply-plan contradict each other. --operation is needed.',
  ],
  ['Something that is new', 'Something that is new.'],
] as const)('"%s"', ([message, words]) => {
  expect(sayParserError({message: `${message}${help}`})).toBe(words)
})

test('names the words that are missing, and no flag that has nothing to do with it', () => {
  const file = {name: 'file', description: 'CSV file; - is standard input.'}
  const message = 'Missing 1 required arg:\nfile  CSV file\n\nNote: --map allows multiple values.'

  expect(sayParserError({message, args: [file]})).toBe('A word is missing: FILE (CSV file; - is standard input).')
  expect(sayParserError({message, args: [{name: 'method'}, {name: 'path'}]})).toBe('Words are missing: METHOD, PATH.')
})

test('names the word that is too many', () => {
  expect(sayParserError({message: 'Unexpected argument: b', args: ['b']})).toBe('The word "b" is too many.')
})
