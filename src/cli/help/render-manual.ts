import {exitCodes} from '../../contract/exit-codes.js'
import type {CommandFacts, FlagFacts} from '../../values/command-facts.js'
import type {HelpFacts} from './facts.js'
import {groupFlags, notesOf, valueName} from './flag-entries.js'
import {createPage, fillExamples, showExamples} from './help-page.js'
import {usageOf} from './render-command.js'
import {readBlocks} from './render-guide.js'
import {about, descriptionOf, firstExamples, topicNames, visibleCommands} from './render-topics.js'

/** The width of the page: 80 columns of a terminal, less 7 of indentation. */
const examplePage = createPage({width: 72, color: false})

/** The manual page of the program: all commands on one page, what several share described once. */
export function renderManual(facts: HelpFacts): string {
  const shared = findShared(facts)
  const lines = [
    `.TH VENDORCTL 1 "" "${toRoff(`vendorctl ${facts.version}`)}" "User Commands"`,
    ...['.nh', '.ad l'], // flags are not to be broken
    ...chapter('NAME', [`vendorctl \\- ${toRoff(about.charAt(0).toLowerCase() + about.slice(1, -1))}`]),
    ...chapter('SYNOPSIS', [`${bold('vendorctl')} ${italic('COMMAND')} [${italic('flags')}]`]),
    ...chapter('DESCRIPTION', toDescription()),
    ...chapter(
      'COMMANDS',
      visibleCommands(facts).flatMap(([name, command]) => toCommand(name, command, facts, shared)),
    ),
    ...chapter(
      'GUIDES',
      Object.entries(facts.guides).flatMap(([name, text]) => (name === 'environment' ? [] : guideToRoff(name, text))),
    ),
    ...chapter('SHARED FLAGS', sharedFlags(shared)),
    ...chapter('ENVIRONMENT', guideToRoff('environment', facts.guides['environment'] ?? '')),
    ...chapter('EXIT STATUS', toExits()),
    ...chapter('EXAMPLES', verbatim(showExamples(firstExamples, examplePage))),
    ...chapter('SEE ALSO', [
      `${bold('vendorctl help')} ${italic('COMMAND')} for help on a command or a topic, ${bold('vendorctl explain')} ${italic('CODE')} for what a code means.`,
    ]),
  ]
  return `${lines.join('\n')}\n`
}

function chapter(title: string, lines: readonly string[]): string[] {
  return [`.SH ${title}`, ...lines]
}

function toDescription(): string[] {
  const texts = [
    'It reads organizations, accounts, sites, machines, alerts and transaction reports in every format, creates and updates records from a file, and clears alerts. A file is checked completely before its first row is sent, and what became of every row is reported.',
    'Data goes to standard output, everything else to standard error. Nobody is asked without a terminal.',
  ]
  return texts.flatMap((text) => ['.PP', toRoff(text)])
}

function toCommand(name: string, command: CommandFacts, facts: HelpFacts, shared: SharedFlags): string[] {
  const {summary = '', description, args = {}, examples} = command
  const [topic = ''] = name.split(' ')
  const first = visibleCommands(facts).find(([each]) => each.startsWith(`${topic} `))?.[0] === name
  const intro = first && topicNames(facts).includes(topic) ? ['.PP', toRoff(descriptionOf(topic, facts))] : []
  return [
    ...(intro.length > 0 ? [`.SS ${toRoff(topic)}`, ...intro] : []),
    `.SS ${toRoff(usageOf(name, command))}`,
    toRoff([summary, description].filter(Boolean).join(' ')),
    ...Object.values(args).flatMap((each) => termed(italic(each.name.toUpperCase()), each.description ?? '')),
    ...commandFlags(command, shared),
    ...verbatim(showExamples(fillExamples(name, examples), examplePage)),
  ]
}

/** A guide as a part of the manual page. */
function guideToRoff(name: string, markdown: string): string[] {
  const plain = (text: string) => text.replaceAll('`', '')
  const parts = readBlocks(markdown).flatMap((block) => {
    if (block.kind === 'heading') return ['.PP', bold(block.text)]
    if (block.kind === 'text') return ['.PP', keepFromFish(toRoff(plain(block.text)))]
    if (block.kind === 'code') return verbatim(block.lines)
    if (block.kind === 'list') return block.items.flatMap((item) => ['.IP \\(bu 2', keepFromFish(toRoff(plain(item)))])
    return block.rows.slice(1).flatMap(([term = '', ...cells]) => termed(bold(plain(term)), plain(cells.join(': '))))
  })
  return [`.SS vendorctl help ${toRoff(name)}`, ...parts]
}

function toExits(): string[] {
  return Object.entries(exitCodes).flatMap(([name, {code, about: meaning}]) =>
    termed(`${bold(String(code))} ${toRoff(name)}`, meaning),
  )
}

/** A flag is described once for all when this many commands have it with the same words. */
const shares = 3

/** Flags that mean the same in several commands, and in which they do not. */
export type SharedFlags = {all: readonly FlagFacts[]; has(flag: FlagFacts): boolean}

function findShared({commands}: HelpFacts): SharedFlags {
  const seen = new Map<string, {flag: FlagFacts; count: number}>()
  for (const flag of Object.values(commands).flatMap(({flags = {}}) => Object.values(flags))) {
    const known = seen.get(keyOf(flag))
    seen.set(keyOf(flag), {flag: known?.flag ?? flag, count: (known?.count ?? 0) + 1})
  }
  const shared = [...seen].filter(([, {count}]) => count >= shares)
  const keys = new Set(shared.map(([key]) => key))
  return {all: shared.map(([, {flag}]) => flag), has: (flag) => keys.has(keyOf(flag))}
}

/** The flags of a command: those of its own in full, and the names of those that are shared. */
function commandFlags({flags = {}}: CommandFacts, shared: SharedFlags): string[] {
  const all = Object.values(flags).filter(({hidden}) => !hidden)
  const names = new Set(all.map(({name}) => name))
  const own = all.filter((flag) => !shared.has(flag))
  const others = all.filter((flag) => shared.has(flag) && flag.helpGroup !== 'GLOBAL')
  const list = others.map(({name}) => bold(`--${name}`)).join(', ')
  return [
    ...own.flatMap((flag) => toEntry(flag, names)),
    ...(others.length > 0 ? ['.PP', `Also, as described under SHARED FLAGS: ${list}.`] : []),
  ]
}

/** The shared flags in their groups. */
function sharedFlags({all}: SharedFlags): string[] {
  const names = new Set(all.map(({name}) => name))
  return groupFlags(all).flatMap(([title, flags]) => [
    `.SS ${toRoff(title.charAt(0) + title.slice(1).toLowerCase())}`,
    ...flags.flatMap((flag) => toEntry(flag, names)),
  ])
}

function toEntry(flag: FlagFacts, names: ReadonlySet<string>): string[] {
  const name = [...(flag.char ? [bold(`-${flag.char}`)] : []), bold(`--${flag.name}`)].join(', ')
  const value = valueName(flag)
  const notes = notesOf(flag, names).map((note) => `[${note}]`)
  const text = [flag.summary ?? flag.description ?? '', ...notes].join(' ')
  return termed(value === undefined ? name : `${name} ${italic(value)}`, text)
}

function keyOf({name, description, options, helpGroup}: FlagFacts): string {
  return JSON.stringify([name, description, options, helpGroup])
}

/** Text as roff takes it: nothing in it acts, hyphens stay what people type, and it is ASCII. */
export function toRoff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll(
      /[^\n\u0020-\u007e]/gu,
      (letter) => `\\[u${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replaceAll(/^([.'])/gm, '\\&$1')
}

function bold(text: string): string {
  return `\\fB${toRoff(text)}\\fR`
}

function italic(text: string): string {
  return `\\fI${toRoff(text)}\\fR`
}

/** A paragraph with a term in bold at the left. */
function termed(term: string, text: string): string[] {
  return ['.TP', keepFromFish(term), keepFromFish(toRoff(text)) || '\\&']
}

/**
 * Fish makes completions of manual pages: it takes every line that begins with a flag for a flag of all commands. One
 * that does not break its word, which none here does, is no such line.
 */
function keepFromFish(line: string): string {
  return /^(\\f[BI])?\\-/.test(line) ? `\\%${line}` : line
}

/** Lines without filling, one below the other. */
function verbatim(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['.PP', '.nf', ...lines.map(toRoff), '.fi']
}
