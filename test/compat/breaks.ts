/** A kind of promise, and what to do in place of breaking it. */
const remedies = {
  command: 'keep the old command or flag as an alias that warns (hiddenAliases, aliases with deprecateAliases)',
  needs: 'make it optional: command lines that work today do not have it',
  values: 'accept the old value, with a warning',
  variables: 'read the old variable, too, with a warning',
  codes: 'keep the code and its number; a new case gets a new code',
  columns: 'keep names and order of the old columns, and put new ones at the end',
  output: 'keep the old key beside the new one, with the same type',
  exit: 'end with the same exit code',
  schema: 'keep what the schema had ("?": may be left out, "!": is always there)',
  mirror: 'keep the old table, view or column; views may get new columns at the end',
  library: 'keep the old name and its members; new members are optional',
} as const

export type Kind = keyof typeof remedies

/** Items by kind and subject, such as the flags of a command. */
export type Surface = ReadonlyMap<string, readonly string[]>

const key = (kind: Kind, subject: string) => `${kind} ${subject}`

export function toSurface(
  facts: readonly (readonly [kind: Kind, subject: string, items: readonly string[]])[],
): Surface {
  return new Map(facts.map(([kind, subject, items]) => [key(kind, subject), items]))
}

/** One line for each subject, in the order of its name. */
export function printSurface(surface: Surface): string {
  return [...surface]
    .map(([subject, items]) => `${[subject, ...items].join('\t')}\n`)
    .sort()
    .join('')
}

export function parseSurface(text: string): Surface {
  const lines = text.split('\n').filter((line) => line !== '')
  return new Map(lines.map((line) => line.split('\t')).map(([subject = '', ...items]) => [subject, items]))
}

/** What users of the old surface cannot rely on any more, one line each, with what to do. */
export function findBreaks(old: Surface, now: Surface): string[] {
  return [...old].flatMap(([subject, items]) => {
    const [kind = ''] = subject.split(' ')
    const lost = findLost(kind as Kind, items, now.get(subject))
    const what = kind === 'needs' ? 'must be given now' : 'is gone or changed'
    return lost.map((item) => `${subject}: ${item} ${what}; ${remedies[kind as Kind]}`)
  })
}

function findLost(kind: Kind, old: readonly string[], now: readonly string[] | undefined): readonly string[] {
  if (kind === 'needs') return (now ?? []).filter((item) => !old.includes(item))
  if (now === undefined) return old.length > 0 ? [old.length > 3 ? 'all of it' : old.join(' ')] : ['it']
  if (kind === 'columns' || kind === 'exit') return old.filter((item, index) => now[index] !== item)
  if (kind === 'output') return old.filter((item) => !now.some((each) => isSameKey(item, each)))
  return old.filter((item) => !now.includes(item))
}

/** Keys with their types; one without was null. */
function isSameKey(one: string, other: string): boolean {
  const [[path, type], [otherPath, otherType]] = [one.split(':'), other.split(':')]
  return path === otherPath && (type === otherType || type === undefined || otherType === undefined)
}
