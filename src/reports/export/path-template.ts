import {CliFailure} from '../../core/errors.js'

export type TemplateValues = {
  /** Now, in milliseconds since 1970. */
  now: number
  /** Resolved edges of the range. */
  start: string | undefined
  end: string | undefined
  name: string | undefined
}

/**
 * Fills `{date}` (today), `{time}` (now, as 130500), `{start}` and `{end}` (days of the range) and `{name}` (of
 * --since-last) in the name of an output file. Whatever is filled in holds only signs that are safe in a name. Throws
 * `usage` at an unknown word, and at one that has no value.
 */
export function fillTemplate(path: string, values: TemplateValues): string {
  return path.replace(/\{([^{}]*)\}/g, (_, word: string) => {
    const value = wordFor(word, values)
    if (value !== undefined) return toSafeName(value)
    throw new CliFailure(`--output-file: there is nothing to put in place of {${word}}`, {
      code: 'TEMPLATE',
      exit: 'usage',
      hints: ['Known: {date}, {time}, {start}, {end}, {name} (of --since-last).'],
    })
  })
}

function wordFor(word: string, {now, start, end, name}: TemplateValues): string | undefined {
  const moment = new Date(now).toISOString()
  if (word === 'date') return moment.slice(0, 10)
  if (word === 'time') return moment.slice(11, 19).replaceAll(':', '')
  if (word === 'start') return start?.slice(0, 10)
  if (word === 'end') return end?.slice(0, 10)
  return word === 'name' ? name : undefined
}

/** Letters, digits, hyphen, underscore and dot, never a dot in front. */
function toSafeName(text: string): string {
  return text.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^\.+/, '')
}
