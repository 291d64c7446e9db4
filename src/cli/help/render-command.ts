import {exitCodes} from '../../contract/exit-codes.js'
import {
  describeUnconfirmed,
  findOperationOf,
  isPathUnconfirmed,
  operationIds,
  operationOf,
} from '../../contract/index.js'
import {inColumns} from './columns.js'
import {fillExamples, showExamples} from './examples.js'
import {exitsOf} from './exits-of.js'
import {type CommandFacts, type Terminal, toWords} from './facts.js'
import {flagSections, valueName} from './flag-entries.js'
import {nextStepsOf} from './next-steps.js'
import {createPage, type Page, paragraph, section, toPieces} from './page.js'
import {renderBriefHelp} from './render-brief.js'

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

/** What the documentation of the service does not confirm of a command, and how to set another path. */
function unconfirmedOf(id: string): string | undefined {
  const operation = findOperationOf(toWords(id))
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
  return ['vendorctl', toWords(id), ...words, ...needed, '[flags]'].join(' ')
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
