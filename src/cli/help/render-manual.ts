import {exitCodes} from '../../contract/exit-codes.js'
import {fillExamples, showExamples} from './examples.js'
import type {CommandFacts, HelpFacts} from './facts.js'
import {commandFlags, findShared, type SharedFlags, sharedFlags} from './manual-flags.js'
import {createPage} from './page.js'
import {usageOf} from './render-command.js'
import {guideToRoff} from './render-guide.js'
import {descriptionOf, topicNames, visibleCommands} from './render-topics.js'
import {bold, italic, termed, toRoff, verbatim} from './roff.js'
import {about, firstExamples} from './root-words.js'

/** Of the 80 columns of a terminal the page indents by 7. */
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

function toExits(): string[] {
  return Object.entries(exitCodes).flatMap(([name, {code, about: meaning}]) =>
    termed(`${bold(String(code))} ${toRoff(name)}`, meaning),
  )
}
