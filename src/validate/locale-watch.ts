import type {Field} from '../contract/index.js'
import {counted, sum} from '../values/counted.js'
import {columnText} from '../values/place.js'
import {dropZeros, spellAs} from './local-spelling.js'
import {type Locale, type LocaleName, localeNames, locales} from './locales.js'
import {type Problem, quote} from './problem.js'
import {findDateProblem} from './sent-time.js'

const kinds = ['number', 'boolean', 'dateTime'] as const
type Kind = (typeof kinds)[number]

/** Problems of cells that only another spelling explains. */
const spellingCodes: ReadonlySet<Problem['code']> = new Set([
  'NOT_AN_INTEGER',
  'NOT_A_NUMBER',
  'NOT_A_BOOLEAN',
  'NOT_A_DATE',
])

/** The fewest cells, and the least share of the rows, that make a locale; fewer are mistakes of single cells. */
const fewest = 2
const leastShare = 0.05
const columnsShown = 3
const mostAmbiguous = 200

/** A cell of a column, and the problem that was found in it. */
type Cell = {name: string; cell: string; problem?: Problem}
/** The first such cell of a column, and how many there are. */
type Seen = Cell & {count: number}

/** Evidence for one locale; `readings` is a checksum of what it reads, in order. */
class Evidence {
  readonly counts: Record<Kind, number> = {number: 0, boolean: 0, dateTime: 0}
  readonly columns = new Map<string, Seen>()
  readings = 0

  add(kind: Kind, reading: string, cell: Cell): void {
    this.counts[kind]++
    for (const letter of `${reading}\n`) this.readings = (Math.imul(this.readings, 31) + letter.charCodeAt(0)) | 0
    addCell(this.columns, cell)
  }
}

/** The way to read the cells of a file: by a locale that was named, or watched for one. */
export function readingBy(name: LocaleName | undefined): {locale?: Locale; watch?: LocaleWatch} {
  return name === undefined ? {watch: new LocaleWatch()} : {locale: locales[name]}
}

/** The note on a locale that was named for a file of another kind. */
export function describeIgnored(locale: Locale | undefined, header: unknown): string[] {
  if (locale === undefined || header !== undefined) return []
  return ['--locale is for tables; numbers, times and booleans of JSON are read as they are']
}

/** Watches the cells of a file that names no locale: whether they are spelled as in one. Its memory stays flat. */
export class LocaleWatch {
  readonly #evidence = new Map(localeNames.map((name) => [name, new Evidence()]))
  /** Cells in the spelling of the contract, or of no locale. */
  readonly #others: Record<Kind, number> = {number: 0, boolean: 0, dateTime: 0}
  readonly #ambiguous: {text: string; field: Field}[] = []
  /** Decimals such as 1.250, by column. */
  readonly #doubtful = new Map<string, Seen>()
  readonly #explainedBy = new Map<Problem, ReadonlySet<LocaleName>>()

  /** A value in the spelling of the contract; digits alone are spelled alike everywhere. */
  plain(kind: Field['kind'] | undefined): void {
    const counted = kind && kind !== 'integer' && kindOf(kind)
    if (counted) this.#others[counted]++
  }

  /** A cell, and the problem that was found in it. */
  look(text: string, name: string, field: Field, problem: Problem | undefined): void {
    const kind = kindOf(field.kind)
    if (kind === undefined || text === '') return
    if (problem === undefined) this.#lookAtGood(text, name, field)
    else if (spellingCodes.has(problem.code)) this.#lookAtMisspelled(text, field, problem, kind)
  }

  #lookAtGood(text: string, name: string, {kind}: Field): void {
    if (kind !== 'decimal') this.plain(kind)
    else if (!text.includes('.')) return
    else if (!/^-?[1-9]\d{0,2}\.\d{3}$/.test(text)) this.plain(kind)
    else addCell(this.#doubtful, {name, cell: text})
  }

  #lookAtMisspelled(text: string, field: Field, problem: Problem, kind: Kind): void {
    const names = new Set<LocaleName>()
    const cell = {name: problem.columnName ?? '', cell: text, problem}
    for (const [name, evidence] of this.#evidence) {
      const reading = readLocal(text, field, locales[name])
      if (reading === undefined) continue
      names.add(name)
      evidence.add(kind, reading, cell)
    }

    this.#others[kind]++
    if (names.size > 0) this.#explainedBy.set(problem, names)
    if (names.size > 1 && this.#ambiguous.length < mostAmbiguous) this.#ambiguous.push({text, field})
  }

  /** The problems; where the file looks like one of a locale, one problem in place of all that the locale explains. */
  settle(problems: readonly Problem[], rows: number): Problem[] {
    const likely = this.#findLikely(rows)
    const [best] = likely
    if (best === undefined) return [...problems]
    const left = problems.filter((problem) => !likely.some((name) => this.#explainedBy.get(problem)?.has(name)))
    return [this.#describe(likely, best), ...left]
  }

  /** The locales that explain most cells; none when what they explain may be single mistakes. */
  #findLikely(rows: number): LocaleName[] {
    const ranked = [...this.#evidence].map(([name, evidence]) => ({name, count: this.#countFor(name, evidence)}))
    const most = Math.max(...ranked.map(({count}) => count))
    return most < Math.max(fewest, rows * leastShare)
      ? []
      : ranked.filter(({count}) => count === most).map(({name}) => name)
  }

  #countFor(name: LocaleName, {counts}: Evidence): number {
    const found = sum(kinds.filter((kind) => counts[kind] * 2 > this.#others[kind]).map((kind) => counts[kind]))
    const isDoubtful = found > 0 && locales[name].groups === '.'
    return isDoubtful ? found + sum([...this.#doubtful.values()].map(({count}) => count)) : found
  }

  #describe(likely: readonly LocaleName[], best: LocaleName): Problem {
    const evidence = this.#evidence.get(best)
    const columns = [...(evidence?.columns.values() ?? [])].sort((one, other) => other.count - one.count)
    const doubts = locales[best].groups === '.' ? [...this.#doubtful.values()] : []
    const cells = [...columns, ...doubts].slice(0, columnsShown).map(describeColumn).join('; ')
    const first = columns.find(({problem}) => problem)?.problem
    const {columnName: _name, write: _write, ...place} = first ?? {file: '', severity: 'error' as const}
    const message = `${looksLike(likely)} (${cells}): add ${this.#describeChoice(likely)}`
    return {...place, severity: 'error', code: 'OTHER_LOCALE', message}
  }

  /** The locales to choose from, by what they read. */
  #describeChoice(likely: readonly LocaleName[]): string {
    const groups = [...Map.groupBy(likely, (name) => this.#evidence.get(name)?.readings).values()]
    const [alike = [], ...more] = groups
    const [first, ...others] = alike
    if (more.length === 0)
      return `--locale ${first}${others.length === 0 ? '' : ` (${toList(others, 'and')} would read the same)`}`
    const example = this.#ambiguous.find(({text, field}) => {
      const readings = groups.map(([name]) => name && readLocal(text, field, locales[name]))
      return new Set(readings).size > 1
    })
    return groups.map((names) => describeGroup(names, example)).join(', or ')
  }
}

function kindOf(kind: Field['kind']): Kind | undefined {
  if (kind === 'integer' || kind === 'decimal') return 'number'
  return kind === 'boolean' || kind === 'dateTime' ? kind : undefined
}

/** A reading of this locale and those like it; undefined also for texts that the contract's own spelling explains. */
function readLocal(text: string, {kind}: Field, locale: Locale): string | undefined {
  const reading = spellAs(text, kind, locale)
  if (reading === undefined || reading === dropZeros(text)) return undefined
  if (kind === 'integer' && reading.includes('.')) return undefined
  return kind === 'dateTime' && findDateProblem(reading) !== undefined ? undefined : reading
}

function addCell(columns: Map<string, Seen>, cell: Cell): void {
  const known = columns.get(cell.name)
  if (known) known.count++
  else columns.set(cell.name, {...cell, count: 1})
}

function describeColumn({name, cell, count, problem}: Seen): string {
  const {column: place, sheet} = problem ?? {}
  const column = place === undefined ? '' : `, column ${columnText(place, sheet)}`
  return count === 1
    ? `${quote(cell)} in ${name}${column}`
    : `${counted(count, 'cell')} such as ${quote(cell)} in ${name}${column}`
}

function looksLike(likely: readonly LocaleName[]): string {
  const [name, other] = likely
  if (name === undefined || other !== undefined) return 'looks like a spreadsheet of another locale'
  const {language} = locales[name]
  return `looks like ${/^[AEIO]/.test(language) ? 'an' : 'a'} ${language} spreadsheet`
}

function describeGroup(names: readonly LocaleName[], example: {text: string; field: Field} | undefined): string {
  const [name] = names
  const reading = name && example && readLocal(example.text, example.field, locales[name])
  const read = reading === undefined ? '' : ` (${quote(example?.text ?? '')} is ${reading})`
  return `--locale ${toList(names, 'or')}${read}`
}

/** `es, it and pt` */
function toList(names: readonly string[], word: 'and' | 'or'): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`
}
