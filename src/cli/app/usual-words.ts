import {suggest} from '../../values/suggest.js'

/** What other programs call what this one has under another name. */
const usual: Record<string, string> = {
  version: '--version',
  ver: '--version',
  completion: 'autocomplete',
  completions: 'autocomplete',
  login: 'auth login',
  logout: 'auth logout',
}

/** Flags that need no command. */
const loneFlags = ['--version', '--help']

/** The words that are meant by an unknown command; undefined when no habit explains them. `known` are ids. */
export function findUsual(words: readonly string[], known: readonly string[]): string | undefined {
  const [first = ''] = words
  if (words.length === 1 && Object.hasOwn(usual, first)) return usual[first]
  const named = words.slice(0, -1)
  return words.at(-1) === 'help' && known.includes(named.join(':')) ? `${named.join(' ')} --help` : undefined
}

/** The flag that stands for itself and was misspelled; undefined when none is near. */
export function findLoneFlag(flag: string): string | undefined {
  return flag.startsWith('--') ? suggest(flag, loneFlags) : undefined
}
