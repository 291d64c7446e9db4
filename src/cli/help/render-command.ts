import {exitCodes} from '../../contract/exit-codes.js'
import {
  describeUnconfirmed,
  findOperationOf,
  isPathUnconfirmed,
  operationIds,
  operationOf,
} from '../../contract/index.js'
import {type CommandFacts, type FlagFacts, toCommandName} from '../../values/command-facts.js'
import {exitsOf} from './exits-of-command.js'
import type {Terminal} from './facts.js'
import {argumentEntries, flagEntries, flagSections, groupFlags, valueName, visibleFlags} from './flag-entries.js'
import {
  createPage,
  type Entry,
  fillExamples,
  inColumns,
  type Page,
  type Piece,
  paragraph,
  section,
  showExamples,
  toPieces,
} from './help-page.js'
import {nextStepsOf} from './next-steps.js'

/** Help of one command, from its own facts alone: on one screen where it fits, or with all that is known. */
export function renderCommandHelp(id: string, command: CommandFacts, terminal: Terminal, isVerbose: boolean): string {
  const page = createPage(terminal)
  const lines = isVerbose ? allLines(id, command, page) : renderBriefHelp(id, command, usageOf(id, command), page)
  return `${lines.join('\n')}\n`
}

function allLines(id: string, command: CommandFacts, page: Page): string[] {
  return [
    ...paragraph(command.summary ?? '', page),
    ...(command.description ? ['', ...paragraph(command.description, page)] : []),
    ...unconfirmedLines(id, page),
    ...section('USAGE', showExamples([usageOf(id, command)], page), page),
    ...section('EXAMPLES', showExamples(fillExamples(id, command.examples), page), page),
    ...flagSections(command, page),
    ...section('EXIT CODES', exitLines(id, command, page), page),
    ...section('SEE ALSO', stepLines(id, page), page),
  ]
}

function unconfirmedLines(id: string, page: Page): string[] {
  const text = unconfirmedOf(id)
  return text === undefined ? [] : ['', ...paragraph(text, page)]
}

/** Note on what the documentation of the service does not confirm; where it is the path, with the way to set another. */
function unconfirmedOf(id: string): string | undefined {
  const operation = findOperationOf(toCommandName(id))
  const text = describeUnconfirmed(operation)
  if (operation === undefined || text === undefined || !isPathUnconfirmed(operation)) return text
  const name = operationIds.find((one) => operationOf(one).command === operation.command)
  return `${text} Another path: vendorctl profiles set NAME routes=${name}=/PATH`
}

/** `vendorctl lint FILE --operation ID [flags]` */
export function usageOf(id: string, {args = {}, flags = {}, strict}: CommandFacts): string {
  const words = Object.values(args)
    .filter(({hidden}) => !hidden)
    .map(({name, required, multiple}) => {
      const word = `${name.toUpperCase()}${multiple || strict === false ? '…' : ''}`
      return required ? word : `[${word}]`
    })
  const needed = Object.values(flags)
    .filter(({required, hidden}) => required && !hidden)
    .map((flag) => [`--${flag.name}`, valueName(flag)].filter(Boolean).join(' '))
  return ['vendorctl', toCommandName(id), ...words, ...needed, '[flags]'].join(' ')
}

function exitLines(id: string, command: CommandFacts, page: Page): string[] {
  const entries = exitsOf(id, command).map((name) => {
    const {code, about} = exitCodes[name]
    const text = `${String(code).padStart(3)}  ${name}`
    return {term: {text, shown: `${page.name(text.slice(0, 3))}${text.slice(3)}`}, words: toPieces(about)}
  })
  return inColumns(entries, page)
}

function stepLines(id: string, page: Page): string[] {
  const entries = nextStepsOf(id).map(([words, about]) => {
    const text = `vendorctl ${words}`
    return {term: {text, shown: page.name(text)}, words: toPieces(about)}
  })
  return inColumns(entries, page)
}

const mostExamples = 2
const mostSteps = 2

/** The height of a usual terminal. */
const screen = 24

/** Groups whose flags may be listed by name only, with the labels of these lists. */
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
function renderBriefHelp(id: string, command: CommandFacts, usage: string, page: Page): string[] {
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
  const unconfirmed = describeUnconfirmed(findOperationOf(toCommandName(id)))
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
