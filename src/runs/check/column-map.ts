import {CliFailure} from '../../core/errors.js'
import {readAllText} from '../../formats/read/read-text.js'
import {toPlainName} from '../../validate/field-names.js'
import {findRepeatedName} from '../../values/elements.js'
import {isRecord, JsonProblem, type JsonValue, parseJson} from '../../values/json.js'
import {readValueMap, type ValueMap} from './map-values.js'

type Pair = {from: string; to: string}

/**
 * Field names by the column names of a file, from `--map` and `--map-file`; a flag wins over the file. Throws a
 * `CliFailure`: usage for a wrong pair, invalid when the file cannot be read.
 */
export async function readColumnMap(
  given: string | readonly string[] | undefined,
  path: string | undefined,
): Promise<Readonly<Record<string, string>> | undefined> {
  if (given === undefined && path === undefined) return undefined
  const fromFile = path === undefined ? [] : uniquePairs(toPairs(await readAllText(path), path), path)
  const fromFlags = uniquePairs(
    [given ?? []].flat().map((text) => toPair(text, '--map')),
    '--map',
  )
  return Object.fromEntries([...new Map([...fromFile, ...fromFlags]).values()].map(({from, to}) => [from, to]))
}

/** Pairs by the plain names of their columns. Throws `usage` for two fields of one column. */
function uniquePairs(pairs: readonly Pair[], where: string): Map<string, Pair> {
  const found = new Map<string, Pair>()
  for (const pair of pairs) {
    const name = toPlainName(pair.from)
    const other = found.get(name)
    if (other && toPlainName(other.to) !== toPlainName(pair.to))
      throw invalidPair(`${where}: ${JSON.stringify(pair.from)} is both ${other.to} and ${pair.to}`)
    found.set(name, pair)
  }
  return found
}

/**
 * The files of `--map-values`. Throws a `CliFailure`: usage for a wrong pair, invalid when a file cannot be read.
 */
export function readValueMaps(given: string | readonly string[] = []): Promise<ValueMap[]> {
  return Promise.all(
    [given].flat().map((text) => {
      const at = text.indexOf('=')
      const [field, file] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1)]
      if (field !== '' && file !== '' && file !== '-') return readValueMap(field, file)
      throw new CliFailure(`--map-values ${text}: not FIELD=FILE`, {
        code: 'INVALID_MAP',
        hints: ['Write the field, = and a file of two columns, such as: --map-values commissionTerms=terms.csv'],
      })
    }),
  )
}

function toPairs(text: string, path: string): Pair[] {
  if (text.trimStart().startsWith('{'))
    return Object.entries(parseObject(text, path)).map(([from, to]) => {
      if (typeof to === 'string' && to.trim() !== '') return {from, to: to.trim()}
      throw invalidPair(`${path}: the field of ${JSON.stringify(from)} is not a name`)
    })
  return text
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .map((line) => toPair(line, path))
}

/** A column may have `=` in its name, a field never does. */
function toPair(text: string, where: string): Pair {
  const at = text.lastIndexOf('=')
  const [from, to] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()]
  if (from === '' || to === '') throw invalidPair(`${where}: ${JSON.stringify(text)} is not a COLUMN=FIELD pair`)
  return {from, to}
}

function parseObject(text: string, path: string): Record<string, JsonValue> {
  try {
    const value = parseJson(text)
    const twice = findRepeatedName(text.trim())
    if (twice !== undefined) throw invalidPair(`${path}: the name ${twice} appears twice`)
    if (isRecord(value)) return value
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
  }

  throw invalidPair(`${path}: neither a JSON object nor lines of COLUMN=FIELD`)
}

function invalidPair(message: string): CliFailure {
  return new CliFailure(message, {
    code: 'INVALID_MAP',
    hints: ["Write the column of the file, = and the field, such as: --map 'Site Name=name'"],
  })
}
