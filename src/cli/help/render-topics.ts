import {type CommandFacts, toCommandName} from '../../values/command-facts.js'
import {guides, type HelpFacts, type Terminal} from './facts.js'
import {
  createPage,
  type Entry,
  fillExamples,
  inColumns,
  leftOf,
  type Page,
  paragraph,
  section,
  showExamples,
  toPieces,
} from './help-page.js'

/** Help of the program on one screen: how to start, what it can do, and the names of the rest. */
export function renderRootHelp(facts: HelpFacts, terminal: Terminal): string {
  const page = createPage(terminal)
  const words = summaries(facts)
  const parts = groups.map(([title, names]) => {
    return {
      title,
      entries: names.flatMap((name) => (words.has(name) ? [toEntry(name, words.get(name) ?? '', page)] : [])),
    }
  })
  const all = parts.flatMap(({entries}) => entries)
  const left = leftOf(all, page)
  const shown = new Set([...groups, ...further].flatMap(([, names]) => names))
  const others = [...words.keys()].filter((name) => !shown.has(name)).sort()
  const rest = [...further, ['other', others] as const, ['topics', Object.keys(guides)] as const]
    .filter(([, names]) => names.length > 0)
    .map(([title, names]) => toEntry(title, names.join(', '), page))
  const help = toEntry('help', `${words.get('help')} vendorctl help sites create`, page)
  const lines = [
    ...paragraph(about, page),
    ...section('START', showExamples(firstExamples, page), page),
    ...parts.flatMap(({title, entries}) => section(title, inColumns(entries, page, left), page)),
    ...section('MORE', inColumns([...rest, help], page, left), page),
  ]
  return `${lines.join('\n')}\n`
}

/** Help of a topic, named by words: its commands with an example of each. */
export function renderTopicHelp(topic: string, facts: HelpFacts, terminal: Terminal): string {
  const page = createPage(terminal)
  const commands = visibleCommands(facts).filter(([name]) => name.startsWith(`${topic} `))
  const examples = commands.flatMap(([name, command]) => firstOwn(name, fillExamples(name, command.examples)))
  const entries = commands.map(([name, {summary = ''}]) => toEntry(name, summary, page))
  const lines = [
    ...paragraph(descriptionOf(topic, facts), page),
    ...section('USAGE', [`  $ vendorctl ${topic} COMMAND [flags]`], page),
    ...section('EXAMPLES', showExamples(examples, page), page),
    ...section('COMMANDS', inColumns(entries, page), page),
    ...section(
      'SEE ALSO',
      inColumns([toEntry(`vendorctl ${commands[0]?.[0] ?? topic} --help`, 'help of a command', page)], page),
      page,
    ),
  ]
  return `${lines.join('\n')}\n`
}

export function topicNames({topics}: HelpFacts): string[] {
  return Object.keys(topics).map(toCommandName)
}

export function visibleCommands({commands}: HelpFacts): [string, CommandFacts][] {
  const all = Object.entries(commands).map(([id, command]): [string, CommandFacts] => [toCommandName(id), command])
  return all.filter(([, {hidden}]) => !hidden).sort(([one], [other]) => (one < other ? -1 : 1))
}

export function descriptionOf(topic: string, {topics}: HelpFacts): string {
  return Object.entries(topics).find(([name]) => toCommandName(name) === topic)?.[1].description ?? ''
}

/** The first example of the command itself; some begin with the making of a file. */
function firstOwn(name: string, examples: readonly string[]): string[] {
  return examples.filter((example) => example.startsWith(`vendorctl ${name}`)).slice(0, 1)
}

/** Topics and commands of one word, with what they do. */
function summaries(facts: HelpFacts): Map<string, string> {
  const words = new Map<string, string>()
  for (const [name, {summary = ''}] of visibleCommands(facts)) if (!name.includes(' ')) words.set(name, summary)
  for (const name of topicNames(facts)) if (!name.includes(' ')) words.set(name, descriptionOf(name, facts))
  return words
}

function toEntry(text: string, words: string, page: Page): Entry {
  return {term: {text, shown: page.name(text)}, words: toPieces(words)}
}

/** The program in a sentence. */
export const about = 'Bulk operations against the Vendor Interface Service that tell the truth about every row.'

/** First steps: something to try, the real service, a first read. */
export const firstExamples = [
  'vendorctl sandbox start --detach',
  'vendorctl auth login',
  'vendorctl machines list --limit 5',
]

/** Topics and commands of one word that are shown with what they do, in reading order. */
export const groups: readonly (readonly [title: string, names: readonly string[]])[] = [
  [
    'READ AND WRITE',
    [
      ...['organizations', 'accounts', 'sites', 'machines', 'selections', 'templates', 'products', 'alerts'],
      ...['roles', 'role-rights', 'sessions', 'reports', 'sync', 'sql', 'api'],
    ],
  ],
  ['FILES AND RUNS', ['lint', 'import', 'plan', 'runs', 'exports', 'jobs', 'quota']],
]

/** Topics and commands that are shown by name alone, in the same order. */
export const further: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['set up', ['auth', 'profiles', 'notify', 'doctor', 'autocomplete']],
  ['try, look up', ['sandbox', 'explain', 'contract', 'help']],
]
