import {type Entry, inColumns, leftOf} from './columns.js'
import {fillExamples, showExamples} from './examples.js'
import {type CommandFacts, type HelpFacts, type Terminal, toWords} from './facts.js'
import {guides} from './guides.js'
import {createPage, type Page, paragraph, section, toPieces} from './page.js'
import {about, firstExamples, furtherSteps, groups, rootFlags} from './root-words.js'

/** Help of the program: what it can do, by purpose. */
export function renderRootHelp(facts: HelpFacts, terminal: Terminal): string {
  const page = createPage(terminal)
  const parts = toGroups(facts, page)
  const left = leftOf(
    parts.flatMap(({entries}) => entries),
    page,
  )
  const flags = rootFlags.map(([name, words]) => toEntry(name, words, page))
  const guideEntries = Object.entries(guides).map(([name, words]) => toEntry(name, words, page))
  const steps = furtherSteps.map(([name, words]) => toEntry(name, words, page))
  const lines = [
    ...paragraph(about, page),
    ...section('USAGE', ['  $ vendorctl COMMAND [flags]'], page),
    ...section('EXAMPLES', showExamples(firstExamples, page), page),
    ...parts.flatMap(({title, entries}) => section(title, inColumns(entries, page, left), page)),
    ...section('HELP TOPICS', inColumns(guideEntries, page, left), page),
    ...section('FLAGS', inColumns(flags, page, left), page),
    ...section('SEE ALSO', inColumns(steps, page), page),
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

/** Names of the topics, as words. */
export function topicNames({topics}: HelpFacts): string[] {
  return Object.keys(topics).map(toWords)
}

export function visibleCommands({commands}: HelpFacts): [string, CommandFacts][] {
  const all = Object.entries(commands).map(([id, command]): [string, CommandFacts] => [toWords(id), command])
  return all.filter(([, {hidden}]) => !hidden).sort(([one], [other]) => (one < other ? -1 : 1))
}

export function descriptionOf(topic: string, {topics}: HelpFacts): string {
  return Object.entries(topics).find(([name]) => toWords(name) === topic)?.[1].description ?? ''
}

/** The first example of the command itself; some begin with the making of a file. */
function firstOwn(name: string, examples: readonly string[]): string[] {
  return examples.filter((example) => example.startsWith(`vendorctl ${name}`)).slice(0, 1)
}

function toGroups(facts: HelpFacts, page: Page): {title: string; entries: Entry[]}[] {
  const words = new Map<string, string>()
  for (const [name, {summary = ''}] of visibleCommands(facts)) if (!name.includes(' ')) words.set(name, summary)
  for (const name of topicNames(facts)) if (!name.includes(' ')) words.set(name, descriptionOf(name, facts))
  const known = new Set(groups.flatMap(([, names]) => names))
  const others = [...words.keys()].filter((name) => !known.has(name)).sort()
  return [...groups, ['MORE', others] as const]
    .map(([title, names]) => ({
      title,
      entries: names.flatMap((name) => (words.has(name) ? [toEntry(name, words.get(name) ?? '', page)] : [])),
    }))
    .filter(({entries}) => entries.length > 0)
}

function toEntry(text: string, words: string, page: Page): Entry {
  return {term: {text, shown: page.name(text)}, words: toPieces(words)}
}
