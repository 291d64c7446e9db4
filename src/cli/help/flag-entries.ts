import type {ArgumentFacts, CommandFacts, FlagFacts} from '../../values/command-facts.js'
import {type Entry, inColumns, leftOf, type Page, type Piece, section, toPieces} from './help-page.js'

/** Options up to this length replace the name of the value. */
const shortOptions = 22

/** Groups in the order in which people need them, by what flag definitions say; other groups come first. */
const groups: Readonly<Record<string, string>> = {
  REQUEST: 'REQUEST',
  LOGIN: 'LOGIN',
  INPUT: 'INPUT',
  FILTER: 'FILTERS',
  SENDING: 'SENDING',
  'DRY RUN': 'DRY RUN',
  DOUBT: 'ROWS IN DOUBT',
  FILES: 'FILES WRITTEN',
  OUTPUT: 'OUTPUT',
  EXPORT: 'EXPORT',
  CRON: 'UNATTENDED',
  SERVICE: 'SERVICE',
  GLOBAL: 'EVERY COMMAND',
}

/** Arguments and flags, grouped, all in the same columns. */
export function flagSections(command: CommandFacts, page: Page): string[] {
  const parts = [
    {title: 'ARGUMENTS', entries: argumentEntries(command, page)},
    ...groupFlags(visibleFlags(command)).map(([title, group]) => ({title, entries: flagEntries(group, command, page)})),
  ]
  const all = parts.flatMap(({entries}) => entries)
  const left = leftOf(all, page)
  return parts.flatMap(({title, entries}) => section(title, inColumns(entries, page, left), page))
}

export function argumentEntries({args = {}}: CommandFacts, page: Page): Entry[] {
  return visible(Object.values(args)).map((each) => toArgumentEntry(each, page))
}

export function flagEntries(some: readonly FlagFacts[], command: CommandFacts, page: Page): Entry[] {
  const names = new Set(visibleFlags(command).map(({name}) => name))
  return some.map((flag) => toFlagEntry(flag, names, page))
}

export function visibleFlags({flags = {}}: CommandFacts): FlagFacts[] {
  return visible(Object.values(flags))
}

/** Titles and their flags in reading order; no group is empty. */
export function groupFlags(flags: readonly FlagFacts[]): [string, FlagFacts[]][] {
  const of = ({helpGroup}: FlagFacts) => (helpGroup === undefined ? undefined : (groups[helpGroup] ?? helpGroup))
  const others = flags.map(of).filter((title) => title !== undefined && !Object.values(groups).includes(title))
  const titles = [undefined, ...new Set(others), ...Object.values(groups)]
  return titles
    .map((title): [string, FlagFacts[]] => [title ?? 'FLAGS', flags.filter((flag) => of(flag) === title)])
    .filter(([, group]) => group.length > 0)
}

function toArgumentEntry({name, description = '', required, options}: ArgumentFacts, page: Page): Entry {
  const text = name.toUpperCase()
  const notes = [...(options ? [`one of: ${options.join(', ')}`] : []), ...(required ? [] : ['optional'])]
  return {term: {text, shown: page.name(text)}, words: [...toPieces(description), ...toNotes(notes, page)]}
}

function toFlagEntry(flag: FlagFacts, names: ReadonlySet<string>, page: Page): Entry {
  const name = `${flag.char ? `-${flag.char},` : '   '} --${flag.name}`
  const value = valueName(flag)
  const term = {text: value ? `${name} ${value}` : name, shown: `${page.name(name)}${value ? ` ${value}` : ''}`}
  const notes = toNotes(notesOf(flag, names), page)
  return {term, words: [...toPieces(flag.summary ?? flag.description ?? ''), ...notes]}
}

/** The placeholder of the value of a flag; undefined for one that takes none. */
export function valueName({type, helpValue, options, name}: FlagFacts): string | undefined {
  if (type === 'boolean') return undefined
  if (helpValue !== undefined) return [helpValue].flat().join(' ')
  const list = options?.join('|')
  return list !== undefined && list.length <= shortOptions ? list : (name.split('-').at(-1) ?? name).toUpperCase()
}

/** Notes behind the description of a flag, without what that says already and without flags that the command lacks. */
export function notesOf(flag: FlagFacts, names: ReadonlySet<string>): string[] {
  const known = (others: readonly string[] = []) => others.filter((name) => names.has(name)).map((name) => `--${name}`)
  const {options, default: standard} = flag
  const aliases = flag.deprecateAliases ? [] : (flag.aliases ?? [])
  const description = flag.description ?? ''
  const [needs, excludes] = [known(flag.dependsOn), known(flag.exclusive)]
  const value = valueName(flag)
  return [
    flag.required ? 'required' : '',
    options && value !== options.join('|') ? `one of: ${options.join(', ')}` : '',
    standard === undefined || typeof standard === 'object' || standard === false ? '' : `default: ${standard}`,
    aliases.length > 0 ? `also: ${aliases.map((alias) => `--${alias}`).join(', ')}` : '',
    flag.multiple && !/repeat/.test(description) ? 'repeatable' : '',
    needs.some((name) => !description.includes(name)) ? `needs ${needs.join(', ')}` : '',
    excludes.length > 0 ? `not with ${excludes.join(', ')}` : '',
  ].filter(Boolean)
}

/** Notes in brackets; a short one is never broken. */
function toNotes(notes: readonly string[], page: Page): Piece[] {
  const faint = (text: string): Piece => ({text, shown: page.faint(text)})
  return notes.flatMap((note) => (note.length <= 40 ? [faint(`[${note}]`)] : toPieces(`[${note}]`, page.faint)))
}

function visible<Each extends {hidden?: boolean}>(all: readonly Each[]): Each[] {
  return all.filter(({hidden}) => !hidden)
}
