import type {CommandFacts, FlagFacts, HelpFacts} from './facts.js'
import {groupFlags, notesOf, valueName} from './flag-entries.js'
import {bold, italic, termed, toRoff} from './roff.js'

/** A flag is described once for all when so many commands have it with the same words. */
const shares = 3

/** Flags that mean the same in several commands, and in which they do not. */
export type SharedFlags = {all: readonly FlagFacts[]; has(flag: FlagFacts): boolean}

export function findShared({commands}: HelpFacts): SharedFlags {
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
export function commandFlags({flags = {}}: CommandFacts, shared: SharedFlags): string[] {
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
export function sharedFlags({all}: SharedFlags): string[] {
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
