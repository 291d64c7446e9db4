import type {Kind} from './breaks.js'

/** The keys that a printed document has, with the types of their values where they are not null; warnings come and go. */
export function readShape(value: unknown, path = ''): string[] {
  return [...new Set(listKeys(value, path))]
}

function listKeys(value: unknown, path: string): string[] {
  if (value === null) return [path]
  if (Array.isArray(value))
    return [`${path}:array`, ...(path === '.warnings' ? [] : value).flatMap((each) => listKeys(each, `${path}[]`))]
  if (typeof value !== 'object') return [`${path}:${typeof value}`]
  const inner = Object.entries(value).flatMap(([name, each]) => listKeys(each, `${path}.${name}`))
  return path === '' ? inner : [`${path}:object`, ...inner]
}

type Schema = {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  $defs?: Record<string, Schema>
  additionalProperties?: Schema | boolean
}

/**
 * Each property of a schema with its type and values. Of documents that people write, those that may be left out end in `?`;
 * of those that we write, those that are always there end in `!`.
 */
export function readSchema(name: string, schema: Schema): [kind: Kind, subject: string, items: string[]] {
  const isWritten = name === 'jobs'
  const found = new Set<string>()
  const walk = (path: string, {type = 'any', required = [], properties = {}, items, ...more}: Schema) => {
    found.add(`${path}:${[type].flat().join('|')}`)
    for (const value of [...(more.enum ?? []), ...('const' in more ? [more.const] : [])]) found.add(`${path}=${value}`)
    for (const [key, inner] of Object.entries(properties)) {
      if (required.includes(key) !== isWritten) found.add(`${path}.${key}${isWritten ? '?' : '!'}`)
      walk(`${path}.${key}`, inner)
    }
    for (const [key, inner] of Object.entries(more.$defs ?? {})) walk(`${path}#${key}`, inner)
    for (const inner of [...(more.anyOf ?? []), ...(more.oneOf ?? [])]) walk(path, inner)
    if (items) walk(`${path}[]`, items)
    if (typeof more.additionalProperties === 'object') walk(`${path}.*`, more.additionalProperties)
  }
  walk('', schema)
  return ['schema', name, [...found]]
}
