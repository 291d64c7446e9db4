import {exitCodes} from '../../contract/exit-codes.js'
import {describeUnconfirmed, findOperationOf} from '../../contract/index.js'
import {type Entry, inColumns} from './columns.js'
import {fillExamples, showExamples} from './examples.js'
import {exitsOf} from './exits-of.js'
import {type CommandFacts, type FlagFacts, toWords} from './facts.js'
import {argumentEntries, flagEntries, groupFlags, visibleFlags} from './flag-entries.js'
import {nextStepsOf} from './next-steps.js'
import {type Page, type Piece, paragraph, section, toPieces} from './page.js'

/** Examples, and commands to look at next, at most. */
const [mostExamples, mostSteps] = [2, 2]

/** The height of a usual terminal. */
const screen = 24

/** Groups whose flags may be named only, with the labels of their lists. */
const labels: Readonly<Record<string, string>> = {
  FILTERS: 'filters',
  'DRY RUN': 'dry run',
  'ROWS IN DOUBT': 'sending',
  SENDING: 'sending',
  OUTPUT: 'output',
  EXPORT: 'export',
  UNATTENDED: 'unattended',
  'FILES WRITTEN': 'files',
  INPUT: 'input',
  SERVICE: 'service',
  'EVERY COMMAND': 'general',
}

/** Flags of these groups that are always described, because most uses need them. */
const everyday = ['file', 'dry-run', 'yes', 'since-last', 'by', 'start', 'end']

/** Help of one command with as many flags described as fit on a screen, the others named. */
export function renderBriefHelp(id: string, command: CommandFacts, usage: string, page: Page): string[] {
  const render = (described: ReadonlySet<string>) => renderWith(described, {id, command, usage, page})
  let described: ReadonlySet<string> = new Set()
  let lines = render(described)
  for (const label of new Set(groupFlags(visibleFlags(command)).flatMap(([title]) => labels[title] ?? []))) {
    if (lines.length > screen) break
    const more = new Set([...described, label])
    const longer = render(more)
    if (longer.length <= screen) [described, lines] = [more, longer]
  }

  return lines
}

type Subject = {id: string; command: CommandFacts; usage: string; page: Page}

/** `described` are the labels of groups whose flags are described. */
function renderWith(described: ReadonlySet<string>, {id, command, usage, page}: Subject): string[] {
  const groups = groupFlags(visibleFlags(command))
  const isDescribed = (title: string, {name, required}: FlagFacts) =>
    required || everyday.includes(name) || labels[title] === undefined || described.has(labels[title])
  const full = groups.flatMap(([title, flags]) => flags.filter((flag) => isDescribed(title, flag)))
  const named = [...new Set(Object.values(labels))].flatMap((label) => {
    const own = groups.filter(([title]) => labels[title] === label)
    const words = listNames(own.flatMap(([title, flags]) => flags.filter((flag) => !isDescribed(title, flag))))
    return words.length === 0 ? [] : [toEntry(label, words, page)]
  })
  const rows = [...named, toEntry('exit codes', exitPieces(id, command), page), toEntry('see also', seeAlso(id), page)]
  const entries = [...argumentEntries(command, page), ...flagEntries(full, command, page)]
  const unconfirmed = describeUnconfirmed(findOperationOf(toWords(id)))
  return [
    ...paragraph([command.summary, firstSentence(command.description), unconfirmed].filter(Boolean).join(' '), page),
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
