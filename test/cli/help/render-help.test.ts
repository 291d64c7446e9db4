import {stripVTControlCharacters} from 'node:util'
import {describe, expect, test} from 'vitest'
import {exitsOf} from '../../../src/cli/help/exits-of-command.js'
import {fillExamples} from '../../../src/cli/help/help-page.js'
import {nextStepsOf, stepIds} from '../../../src/cli/help/next-steps.js'
import {renderHelp} from '../../../src/cli/help/render-help.js'
import {about, firstExamples, further, groups} from '../../../src/cli/help/render-topics.js'
import {exitCodes, exitNames} from '../../../src/contract/index.js'
import {faultNames} from '../../../src/sandbox/faults/faults.js'
import {toCommandName} from '../../../src/values/command-facts.js'
import {commandIds, description, facts, topics} from './facts.js'

const help = (words: string, width = 80, color = false) => renderHelp(words.split(' '), facts, {width, color}) ?? ''
const plain = (id: string) => help(`${toCommandName(id)} --help --verbose`)
const brief = (id: string) => help(`${toCommandName(id)} --help`)
const names = new Set(commandIds.map(toCommandName))

/** The command that a line begins with, by the words after the name of the program. */
function commandOf(line: string): string | undefined {
  const words = line.replace(/^vendorctl /, '').split(' ')
  const known = words.map((_, count) => words.slice(0, count + 1).join(' ')).filter((name) => names.has(name))
  return known.at(-1)
}

const screen = 24
/** Commands of 30 flags and more, of which even the names alone take most of a screen. */
const longer = `
  alerts:clear alerts:create alerts:update lint machines:custom-data:create machines:provision
  machines:settings:set machines:update reports:coverage reports:inventory reports:metadata reports:summary
  reports:transactions role-rights:create role-rights:update runs:resume runs:undo selections:adjust
  selections:apply selections:create selections:delete selections:update sessions:events sessions:list
  sites:apply sites:create sites:delete sites:update sql sync templates:apply`

describe('every command', () => {
  test.each(commandIds)('%s says everything that there is to know, when it is asked with --verbose', (id) => {
    const {summary = '', flags = {}} = facts.commands[id] ?? {}
    const text = plain(id)
    const onOneLine = text.replaceAll(/\s+/g, ' ')

    expect(onOneLine).toContain(summary)
    expect(text).not.toContain('<%')
    expect(text.indexOf('\nEXAMPLES\n')).toBeLessThan(text.search(/\n {2}(-\w,| {3}) --/) + 1 || text.length)
    for (const {name, char, options = [], default: standard} of Object.values(flags)) {
      expect(text).toMatch(new RegExp(`\\n {2}${char ? `-${char},` : ' {3}'} --${name}( |\\n)`))
      for (const option of options) expect(text).toContain(option)
      if (typeof standard === 'number' || typeof standard === 'string') expect(text).toContain(`[default: ${standard}]`)
    }
  })

  test.each(commandIds)('%s names every flag and every exit code', (id) => {
    const command = facts.commands[id] ?? {}
    const text = brief(id)

    for (const {name, hidden} of Object.values(command.flags ?? {})) {
      if (!hidden) expect(text).toMatch(new RegExp(`[ /]--${name}[,\\s]`))
    }
    const [, codes = ''] = /\n {2}exit codes +(.*(?:\n {8,}\d.*)*)\n/.exec(text) ?? []
    expect(codes.split(/,\s+/).map(Number)).toEqual(exitsOf(id, command).map((name) => exitCodes[name].code))
  })

  test('fits on one screen, apart from those with too many flags', () => {
    const long = commandIds.filter((id) => brief(id).trimEnd().split('\n').length > screen)

    expect(long.sort()).toEqual(longer.trim().split(/\s+/))
  })

  test.each(commandIds)('%s has two examples of its own that name only known flags', (id) => {
    const {examples, flags = {}} = facts.commands[id] ?? {}
    const filled = fillExamples(id, examples)
    const own = filled.filter((example) => commandOf(example) === toCommandName(id))
    const typed = own.map((example) => example.split(' -- ')[0] ?? '') // what follows is another command
    const used = typed.flatMap((example) => example.match(/(?<= )(--[a-z][\w-]*|-[a-z](?= ))/g) ?? [])

    expect(own.length).toBeGreaterThanOrEqual(2)
    expect(filled.filter((example) => example.includes('<%'))).toEqual([])
    const known = Object.values(flags).flatMap(({name, char, aliases = []}) => [
      ...[name, ...aliases].map((each) => `--${each}`),
      `-${char}`,
    ])
    expect(used.filter((flag) => !known.includes(flag))).toEqual([])
  })

  test.each(commandIds)('%s leads to commands that exist', (id) => {
    for (const [words] of nextStepsOf(id)) expect([words, commandOf(words)]).not.toContain(undefined)
  })
})

describe('facts', () => {
  test('where to go next is said of commands that exist', () => {
    expect(stepIds.filter((id) => !commandIds.includes(id))).toEqual([])
  })

  test('the program is described in the words of its package', () => {
    expect(`${description}.`).toBe(about)
  })

  test('the help of the program names every topic and every command of one word', () => {
    const grouped = [...groups, ...further].flatMap(([, all]) => all)
    const single = [...topics, ...commandIds].filter((name) => !/[ :]/.test(name))

    expect(grouped).toEqual(expect.arrayContaining(single))
    expect(firstExamples.filter((example) => commandOf(example) === undefined)).toEqual([])
  })

  test('the help of the program is one screen of 41 lines', () => {
    expect(help('--help').trimEnd().split('\n').length).toBeLessThanOrEqual(41)
  })

  test('the faults of the sandbox are listed where they are set', () => {
    const listed = /Faults to set: ([^.]+)\./.exec(brief('sandbox:faults:set'))?.[1]?.split(/,\s+/)

    expect(listed).toEqual(faultNames.toSorted())
  })

  test('every exit code is one of a command', () => {
    const all = new Set(commandIds.flatMap((id) => exitsOf(id, facts.commands[id] ?? {})))

    expect(exitNames.filter((name) => !all.has(name))).toEqual([])
  })

  test.each([
    ['explain', ['ok', 'failure', 'usage', 'empty', 'storage', 'locked', 'hungUp', 'interrupted', 'terminated']],
    [
      'sandbox:status',
      ['ok', 'failure', 'usage', 'storage', 'unsafe', 'unavailable', 'hungUp', 'interrupted', 'terminated'],
    ],
    ['lint', ['ok', 'failure', 'usage', 'invalid', 'storage', 'hungUp', 'interrupted', 'terminated']],
  ])('%s ends as %j and in no other way', (id, exits) => {
    expect(exitsOf(id, facts.commands[id] ?? {})).toEqual(exits)
  })
})

describe('setting of text', () => {
  const sets = ['', 'sites', 'sites create', 'reports transactions', 'machines custom-data create']

  test.each(sets)('"%s" has colours around the same text', (words) => {
    const [coloured, uncoloured] = [help(`${words} --help`, 80, true), help(`${words} --help`)]

    expect(coloured).not.toBe(uncoloured)
    expect(stripVTControlCharacters(coloured)).toBe(uncoloured)
    const codes = new Set(
      coloured
        .split('\u001b[')
        .slice(1)
        .map((part) => part.split('m')[0]),
    )
    expect(['1', '2', '22', '36', '39']).toEqual(expect.arrayContaining([...codes]))
  })

  test.each(sets.flatMap((words) => [66, 72, 100, 132, 200].map((width) => [words, width] as const)))(
    '"%s" is not wider than %i columns',
    (words, width) => {
      const lines = help(`${words} --help`, width).split('\n')

      expect(lines.filter((line) => line.length > width)).toEqual([])
    },
  )

  test('all letters take one column each, so that their number is the width', () => {
    const wide = commandIds
      .map((id) => plain(id))
      .join('')
      .replaceAll(/[\u0020-\u007e\n…]/g, '')

    expect(wide).toBe('')
  })

  test('a long example goes on after a backslash and stays one command', () => {
    const {examples} = facts.commands['reports:transactions'] ?? {}
    const [, shown = ''] = plain('reports:transactions').split('\nEXAMPLES\n')

    const joined = shown.split('\n\n')[0]?.replaceAll(/ \\\n +/g, ' ') ?? ''
    expect(joined).not.toBe(shown.split('\n\n')[0])
    expect(joined.split('\n').map((line) => line.replace(/^ {2}\$ /, ''))).toEqual(
      fillExamples('reports:transactions', examples),
    )
  })

  test('hidden commands and flags are not shown', () => {
    const hidden = {
      ...facts,
      commands: {
        'sites:secret': {summary: 'Not for people.', hidden: true},
        'sites:open': {summary: 'For people.', flags: {odd: {name: 'odd', type: 'boolean', hidden: true}}},
      },
    }
    const [topic, command] = [['sites'], ['sites', 'open']].map((words) =>
      renderHelp(words, hidden, {width: 80, color: false}),
    )

    expect(topic).toContain('sites open')
    expect(topic).not.toContain('secret')
    expect(command).not.toContain('--odd')
  })
})
