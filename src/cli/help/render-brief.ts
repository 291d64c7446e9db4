import {exitCodes} from '../../contract/exit-codes.js'
import {type Entry, inColumns} from './columns.js'
import {fillExamples, showExamples} from './examples.js'
import {exitsOf} from './exits-of.js'
import type {CommandFacts, FlagFacts} from './facts.js'
import {argumentEntries, flagEntries, groupFlags, visibleFlags} from './flag-entries.js'
import {nextStepsOf} from './next-steps.js'
import {type Page, type Piece, paragraph, section, toPieces} from './page.js'

/** Examples, and commands to look at next, at most. */
const [mostExamples, mostSteps] = [2, 2]

/** Groups of which flags are named and not described, with their short names. */
const folded: Readonly<Record<string, string>> = {
  FILTERS: 'filters',
  INPUT: 'input',
  SENDING: 'sending',
  'DRY RUN': 'dry run',
  'ROWS IN DOUBT': 'sending',
  'FILES WRITTEN': 'files',
  OUTPUT: 'output',
  EXPORT: 'export',
  UNATTENDED: 'unattended',
  SERVICE: 'service',
  'EVERY COMMAND': 'general',
}

/** Flags of these groups that are described all the same, because most uses need them. */
const everyday = ['file', 'dry-run', 'yes', 'since-last', 'by']

/** Help of one command that fits on one screen where it can; with `--verbose` all flags are described. */
export function renderBriefHelp(id: string, command: CommandFacts, usage: string, page: Page): string[] {
  const groups = groupFlags(visibleFlags(command))
  const filters = groups.find(([title]) => title === 'FILTERS')?.[1].filter(({multiple}) => multiple) ?? []
  const isDescribed = (title: string, flag: FlagFacts) =>
    !Object.hasOwn(folded, title) || everyday.includes(flag.name) || (title === 'FILTERS' && !filters.includes(flag))
  const described = groups.flatMap(([title, flags]) => flags.filter((flag) => isDescribed(title, flag)))
  const named = [...new Set(Object.values(folded))].flatMap((label) => {
    const own = groups.filter(([title]) => folded[title] === label)
    const words = listNames(own.flatMap(([title, flags]) => flags.filter((flag) => !isDescribed(title, flag))))
    return words.length === 0 ? [] : [toEntry(label, words, page)]
  })
  const rows = [...named, toEntry('exit codes', exitPieces(id, command), page), toEntry('see also', seeAlso(id), page)]
  const entries = [...argumentEntries(command, page), ...flagEntries(described, command, page)]
  return [
    ...paragraph([command.summary, firstSentence(command.description)].filter(Boolean).join(' '), page),
    ...section('USAGE', showExamples([usage], page), page),
    ...section('EXAMPLES', showExamples(fillExamples(id, command.examples).slice(0, mostExamples), page), page),
    ...section('FLAGS', inColumns(entries, page), page),
    ...section('MORE (described with --help --verbose)', inColumns(rows, page), page),
  ]
}

function listNames(flags: readonly FlagFacts[]): Piece[] {
  const names = flags.map(({name, char}) => (char ? `-${char}/--${name}` : `--${name}`))
  return toPieces(names.join(', '))
}

function exitPieces(id: string, command: CommandFacts): Piece[] {
  return toPieces(
    exitsOf(id, command)
      .map((name) => exitCodes[name].code)
      .join(', '),
  )
}

function seeAlso(id: string): Piece[] {
  const steps = nextStepsOf(id)
    .slice(0, mostSteps)
    .map(([words]) => words)
  return steps.map((words, index) => {
    const text = `vendorctl ${words}${index < steps.length - 1 ? ',' : ''}`
    return {text, shown: text}
  })
}

function firstSentence(text = ''): string {
  return /^.*?\.(?= [A-Z]|$)/.exec(text)?.[0] ?? text
}

function toEntry(text: string, words: readonly Piece[], page: Page): Entry {
  return {term: {text, shown: page.name(text)}, words}
}
