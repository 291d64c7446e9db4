import {exitCodes} from '../../contract/exit-codes.js'
import {fillExamples, showExamples} from './examples.js'
import type {CommandFacts, HelpFacts} from './facts.js'
import {commandFlags, findShared, type SharedFlags, sharedFlags} from './manual-flags.js'
import {createPage} from './page.js'
import {usageOf} from './render-command.js'
import {descriptionOf, topicNames, visibleCommands} from './render-topics.js'
import {bold, italic, termed, toRoff, verbatim} from './roff.js'
import {about, environment, firstExamples} from './root-words.js'

/** Variables of the settings of profiles, each with its meaning. */
export type ManualFacts = HelpFacts & {settings: readonly (readonly [variable: string, about: string])[]}

/** Of the 80 columns of a terminal the page indents by 7. */
const examplePage = createPage({width: 72, color: false})

const files = [
  [
    '$XDG_CONFIG_HOME/vendorctl',
    'Profiles and credentials; ~/.config/vendorctl unless set, on Windows below %APPDATA%.',
  ],
  [
    '$XDG_STATE_HOME/vendorctl',
    'Journals of runs, tokens, the count of requests; ~/.local/state/vendorctl unless set.',
  ],
  [
    '$XDG_CACHE_HOME/vendorctl',
    'What Node compiled of the program, for the next start; ~/.cache/vendorctl unless set. May be removed at any time.',
  ],
] as const

/** The manual page of the program: all commands on one page, what several share said once. */
export function renderManual(facts: ManualFacts): string {
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
    ...chapter('SHARED FLAGS', sharedFlags(shared)),
    ...chapter(
      'ENVIRONMENT',
      [...environment, ...facts.settings].flatMap(([name, text]) => termed(bold(name), text)),
    ),
    ...chapter(
      'FILES',
      files.flatMap(([path, text]) => termed(italic(path), text)),
    ),
    ...chapter('EXIT STATUS', toExits()),
    ...chapter('EXAMPLES', verbatim(showExamples(firstExamples, examplePage))),
    ...chapter('SEE ALSO', [
      `${bold('vendorctl help')} ${italic('COMMAND')} for the help of one command, ${bold('vendorctl explain')} ${italic('CODE')} for what a code means.`,
    ]),
  ]
  return `${lines.join('\n')}\n`
}

function chapter(title: string, lines: readonly string[]): string[] {
  return [`.SH ${title}`, ...lines]
}

function toDescription(): string[] {
  const texts = [
    'It reads organizations, accounts, sites, machines, alerts and transaction reports in every format, creates and updates records from a file, and clears alerts. The whole of a file is checked before its first row is sent, and of every row it is said what became of it.',
    'Data goes to standard output, everything else to standard error. Nothing is asked without a terminal.',
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
