import {expect, test} from 'vitest'
import {markDashed, unmarkDashed, unmarkText} from '../../../src/cli/app/read-arguments.js'

const flags = {
  output: {type: 'option', char: 'o'},
  quiet: {type: 'boolean', char: 'q'},
  sort: {type: 'option'},
  columns: {type: 'option'},
  organization: {type: 'option', aliases: ['org']},
  file: {type: 'option', char: 'f'},
}

test.for([
  [['--sort=-orgId'], ['--sort=\0-orgId']],
  [
    ['--sort', '-orgId', '-o', 'csv'],
    ['--sort', '\0-orgId', '-o', 'csv'],
  ],
  [['--org=-q'], ['--org=\0-q']],
  [['-f=-o.csv'], ['-f=\0-o.csv']],
  [['-f-o.csv'], ['-f=\0-o.csv']],
  [
    ['-f', '-q.csv'],
    ['-f', '\0-q.csv'],
  ],
  [['--columns=--sort'], ['--columns=\0--sort']],
  // the parser reads these as they are, or says what is missing
  [
    ['--sort=-siteId', '--sort=id'],
    ['--sort=-siteId', '--sort=id'],
  ],
  [
    ['--sort', '-o', 'csv'],
    ['--sort', '-o', 'csv'],
  ],
  [
    ['--sort', '--columns', 'id'],
    ['--sort', '--columns', 'id'],
  ],
  [
    ['-qo', 'csv', '-'],
    ['-qo', 'csv', '-'],
  ],
  [
    ['--quiet', '-ocsv'],
    ['--quiet', '-ocsv'],
  ],
  [
    ['--', '--sort=-orgId'],
    ['--', '--sort=-orgId'],
  ],
] as const)('%j', ([words, expected]) => {
  const marked = markDashed(words, flags)

  expect(marked).toEqual(expected)
})

test('values are given back as they came', () => {
  expect(unmarkDashed({sort: '\0-orgId', where: ['\0-p=1', 'x'], limit: 3})).toEqual({
    ...{sort: '-orgId', where: ['-p=1', 'x'], limit: 3},
  })
  expect(unmarkText('--stage=\0-p is none')).toBe('--stage=-p is none')
})
