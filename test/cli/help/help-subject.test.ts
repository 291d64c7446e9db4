import {describe, expect, test} from 'vitest'
import {asksForHelp, findSubject} from '../../../src/cli/help/help-subject.js'
import {namesOf} from '../../../src/cli/help/render-help.js'
import {facts} from './facts.js'

const known = namesOf(facts)
const root = {kind: 'root'}
const topic = (name: string) => ({kind: 'topic', name})
const command = (name: string) => ({kind: 'command', name})

describe('asking for help', () => {
  test.each([
    [[], root],
    [['help'], root],
    [['--help'], root],
    [['-h'], root],
    [['--no-color'], root],
    [['sites'], topic('sites')],
    [['sites', '--no-color'], topic('sites')],
    [['sites', '--help'], topic('sites')],
    [['help', 'sites'], topic('sites')],
    [['--help', 'sites'], topic('sites')],
    [['machines', 'custom-data'], topic('machines custom-data')],
    [['sites', 'create', '--help'], command('sites create')],
    [['sites:create', '-h'], command('sites create')],
    [['help', 'sites', 'create'], command('sites create')],
    [['sites', 'create', '-f', 'sites.csv', '-h'], command('sites create')],
    [['help', 'api'], command('api')],
    [['api', 'GET', '/sites', '--help'], command('api')],
    [['sandbox', 'faults', '--help'], command('sandbox faults')],
    [['sandbox', 'faults', 'set', '-h'], command('sandbox faults set')],
    [['help', '--help'], command('help')],
    [['help', 'help'], command('help')],
  ])('%j is help of %j', (words, subject) => {
    expect(asksForHelp(words, known)).toBe(true)
    expect(findSubject(words, known)).toEqual(subject)
  })

  test.each([
    [['sites', 'create']],
    [['sandbox', 'faults']],
    [['sits']],
    [['sites', 'crate']],
    [['sites', 'create', '--', '--help']],
    [['runs', 'show', 'help']],
    [['sites', '-f', 'sites.csv', '--yes']],
    [['sites', '--json']],
    [['--json']],
    [['']],
    [['sites', '']],
  ])('%j is something else', (words) => {
    expect(asksForHelp(words, known)).toBe(false)
  })

  test.each([[['sits', '--help']], [['help', 'sits']], [['sites', 'crate', '--help']], [['help', 'machines', 'lst']]])(
    '%j names nothing that is known',
    (words) => {
      expect(asksForHelp(words, known)).toBe(true)
      expect(findSubject(words, known)).toBeUndefined()
    },
  )
})
