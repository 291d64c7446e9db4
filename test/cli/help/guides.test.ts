import {readdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {type GuideName, guideNames, guides} from '../../../src/cli/help/facts.js'
import {readBlocks, readSpans} from '../../../src/cli/help/render-guide.js'
import {renderHelp} from '../../../src/cli/help/render-help.js'
import {
  exitCodeOf,
  exitNames,
  readIds,
  readOperation,
  type Write,
  writeIds,
  writeOperation,
} from '../../../src/contract/index.js'
import {settingKeys, settingNames} from '../../../src/settings/setting-keys.js'
import {toCommandName} from '../../../src/values/command-facts.js'
import {findShellLines} from '../../support/readme.js'
import {commandIds, facts} from './facts.js'

const folder = fileURLToPath(new URL('../../../src/cli/help/guides', import.meta.url))
const help = (name: string, width = 80, color = false) => renderHelp(['help', name], facts, {width, color}) ?? ''

test('every guide is listed', () => {
  expect(readdirSync(folder).sort()).toEqual(guideNames.map((name) => `${name}.md`).sort())
})

test.each(guideNames)('%s begins with what it is about and has examples', (name) => {
  const text = facts.guides[name] ?? ''

  expect(help(name).split('\n\n')[0]).toBe(guides[name])
  expect(findShellLines(text).length).toBeGreaterThan(0)
  expect(text).not.toMatch(/^(\*|\d+\.) |\]\(|\*\*/m)
})

test('the environment has every setting and the variable of every flag', () => {
  const text = facts.guides['environment'] ?? ''
  const settings = settingNames.map(
    (key) => `| \`${key}\` | \`${settingKeys[key].environment}\` | ${settingKeys[key].about} |`,
  )
  const [, before = '', flags = ''] = /(\n\| variable of a flag \|.*\n\|-.*\n)((?:\|.*\n)*)/.exec(text) ?? []
  const rows = flagRows()
  if (process.env['UPDATE_GOLDEN'] === '1') {
    writeFileSync(
      join(folder, 'environment.md'),
      text.replace(before + flags, () => `${before}${rows.join('\n')}\n`),
    )
  }

  expect(text).toContain(`\n${settings.join('\n')}\n`)
  expect(flags.trimEnd().split('\n'), 'UPDATE_GOLDEN=1 writes it').toEqual(rows)
})

/** A variable that means different things to commands is explained as most of them do. */
function flagRows(): string[] {
  const flags = commandIds.flatMap((id) => Object.values(facts.commands[id]?.flags ?? {}))
  const named = flags.filter(({env}) => env !== undefined)
  const byVariable = Object.entries(Object.groupBy(named, ({env = ''}) => env))
  return byVariable
    .map(([variable, same = []]) => {
      const texts = Object.entries(Object.groupBy(same, ({description = ''}) => description))
      const [about = ''] = texts.reduce((most, one) => ((one[1]?.length ?? 0) > (most[1]?.length ?? 0) ? one : most))
      return `| \`${variable}\` | ${about} |`
    })
    .sort()
}

test('every command is in a guide', () => {
  const text = Object.values(facts.guides).join('\n')
  const commands = commandIds
    .map(toCommandName)
    .filter((command) => !new RegExp(`(?<![\\w-])${command}(?![\\w-])`).test(text))

  expect(commands).toEqual([])
})

/** The commands that a guide lists after some words, in a sentence or a table. */
function listed(guide: GuideName, before: string): string[] {
  const [, after = ''] = (facts.guides[guide] ?? '').split(`${before}:`)
  const [text = ''] = after.trimStart().split(/\. |\n\n/)
  return (text.match(/`[a-z][a-z -]+`/g) ?? []).sort()
}

test('the writes, and those that can be undone, are those of the contract', () => {
  const commands = (isListed: (write: Write) => boolean) =>
    writeIds
      .map((id) => writeOperation(id))
      .filter(isListed)
      .map(({command}) => `\`${command}\``)
      .sort()

  expect(listed('importing', 'These are all')).toEqual(commands(() => true))
  expect(listed('recovery', 'It changes back')).toEqual(commands(({body, undo}) => 'by' in undo && body !== 'create'))
  expect(listed('recovery', 'It deletes what these created')).toEqual(
    commands(({body, undo}) => 'by' in undo && body === 'create'),
  )
})

test('the lists are those of the contract', () => {
  const commands = readIds.map((id) => `\`${readOperation(id).command}\``)

  expect(listed('exporting', 'These are all')).toEqual(commands.sort())
})

test('every exit code is in the guide for scripts', () => {
  const rows = exitNames.map((name) => `| ${exitCodeOf(name).code} | ${name} | ${exitCodeOf(name).about} |`)

  expect(facts.guides['ci']).toContain(`\n${rows.join('\n')}\n`)
})

test.each(guideNames)('no sentence of %s is too long to be read once', (name) => {
  const texts = readBlocks(facts.guides[name] ?? '').flatMap((block) => {
    if (block.kind === 'text') return [block.text]
    return block.kind === 'list' ? block.items : []
  })
  const sentences = texts.flatMap((text) => text.replaceAll('`', '').split(/(?<=[.?!]\)?) (?=\S)/))
  const long = sentences.filter((text) => text.split(' ').filter((word) => /\w/.test(word)).length > 30)

  expect(sentences.length).toBeGreaterThan(0)
  expect(long).toEqual([])
})

test('a narrow terminal wraps text, and a wide one leaves lines short enough to read', () => {
  const longest = (width: number) =>
    Math.max(
      ...help('requests', width)
        .split('\n')
        .map((line) => (line.startsWith('    ') ? 0 : line.length)),
    )

  expect(longest(50)).toBeLessThanOrEqual(50)
  expect(longest(200)).toBeLessThanOrEqual(80)
})

test('code has a colour where colours are wanted', () => {
  expect(help('recovery', 80, true)).toContain('\u001b[36mvendorctl runs resume\u001b[39m')
  expect(help('recovery')).not.toContain('\u001b')
  expect(help('recovery')).not.toContain('`')
})

test('the parts of a guide are read', () => {
  const text =
    '# Title\n\nSome `code` here.\n\n- one\n- two `-x`\n  goes on\n\n## Part\n\n```sh\nrun\n\nmore\n```\n\n| a | b |\n|---|---|\n| 1 | `2` |\n'

  expect(readBlocks(text)).toEqual([
    {kind: 'text', text: 'Some `code` here.'},
    {kind: 'list', items: ['one', 'two `-x` goes on']},
    {kind: 'heading', text: 'Part'},
    {kind: 'code', lines: ['run', '', 'more']},
    {
      kind: 'table',
      rows: [
        ['a', 'b'],
        ['1', '`2`'],
      ],
    },
  ])
  expect(readSpans('a `b`.')).toEqual([
    {text: 'a ', isCode: false},
    {text: 'b', isCode: true},
    {text: '.', isCode: false},
  ])
})
