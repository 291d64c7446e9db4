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
 * --since-last) in the name of an output file. Only characters that are safe in a name are filled in. Throws
 * `usage` at an unknown placeholder, and at one that has no value.
 */
export function fillTemplate(path: string, values: TemplateValues): string {
  return path.replace(/\{([^{}]*)\}/g, (_, placeholder: string) => {
    const value = valueFor(placeholder, values)
    if (value !== undefined) return toSafeName(value)
    throw new CliFailure(`--output-file: no value for {${placeholder}}`, {
      code: 'TEMPLATE',
      exit: 'usage',
      hints: ['Known: {date}, {time}, {start}, {end}, {name} (of --since-last).'],
    })
  })
}

function valueFor(placeholder: string, {now, start, end, name}: TemplateValues): string | undefined {
  const moment = new Date(now).toISOString()
  if (placeholder === 'date') return moment.slice(0, 10)
  if (placeholder === 'time') return moment.slice(11, 19).replaceAll(':', '')
  if (placeholder === 'start') return start?.slice(0, 10)
  if (placeholder === 'end') return end?.slice(0, 10)
  return placeholder === 'name' ? name : undefined
}

/** Letters, digits, hyphen, underscore and dot, never a dot in front. */
function toSafeName(text: string): string {
  return text.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^\.+/, '')
}
