import {lstat, unlink} from 'node:fs/promises'
import {exitCodeOf} from '../../contract/index.js'
import {CliFailure, type ErrorEntry} from '../../core/errors.js'
import type {Column} from '../../formats/columns.js'
import {openPartFile, type PartFile, partName} from '../../formats/files/part-file.js'
import {counted} from '../../values/counted.js'
import type {ExportState} from '../register/export-state.js'
import {addBase, type Base, withoutBase} from './append-base.js'
import {buildManifest} from './build-manifest.js'
import {committedOf} from './committed.js'
import {digestOf} from './complete-file.js'
import type {ExportSink} from './export-sink.js'
import type {ExportOptions} from './export-types.js'
import {isWorse, worst} from './grade.js'
import {type Manifest, manifestName, parseManifest, printManifest, writeManifest} from './manifest.js'
import {gradeOf, type PartFacts} from './part-facts.js'

/**
 * `written`: the file has its name. `complete`: it had it before, and nothing was read. `incomplete`: what was read is
 * kept under its passing name, because it does not hold all that was asked or did not prove enough.
 */
export type ExportOutcome = {
  /** Boundary checks of this run; the manifest also counts those of earlier runs of the file. */
  probes?: number
} & (
  | {
      kind: 'written' | 'complete'
      manifest: Manifest
      errors?: ErrorEntry[]
      /** An earlier run had read it all; this one gave it its name and read nothing. */
      wasSealed?: true
    }
  | {kind: 'incomplete'; manifest: Manifest; errors: ErrorEntry[]}
)

type Finish = {
  options: ExportOptions
  state: ExportState
  sink: ExportSink
  file: PartFile
  lost: ReadonlyMap<string, number>
  columns: readonly Column[] | undefined
  /** What the file held before. */
  base: Base | undefined
}

/** Gives the file its name and its manifest, unless it lacks something. */
export async function finishExport(finish: Finish): Promise<ExportOutcome> {
  const {options, state, sink, file, lost, base} = finish
  const parts = state.parts().map(({facts}) => JSON.parse(facts) as PartFacts)
  const grade = worst(parts.filter((part) => part.state !== 'again').map(gradeOf))
  const build = () => (base ? addBase(buildManifest({...finish, grade}), base) : buildManifest({...finish, grade}))
  const errors = [...describeLost(lost, options), ...describeGrade(grade, parts, options)]
  const isKept = lost.size > 0 || isWorse(grade, options.requireGrade)
  if (isKept) return {kind: 'incomplete', manifest: build(), errors}
  if (state.lastSegment()?.page !== 0) await sink.end(state.parts().length)
  await sink.settle()
  const manifest = build()
  state.seal(printManifest(manifest))
  await file.publish()
  await writeManifest(options.path, printManifest(manifest))
  await options.onWritten?.(withoutBase(manifest, base), keysSince(state))
  return {kind: 'written', manifest, errors}
}

/** An earlier run had all of the file: only names are missing, or not even they. */
export async function finishSealed(options: ExportOptions, state: ExportState, text: string): Promise<ExportOutcome> {
  const {path, overwrite, append = false} = options
  const manifest = parseManifest(text, manifestName(path))
  const [part, named] = [await idOf(partName(path)), await idOf(path)]
  if (part !== undefined && part === named) await unlink(partName(path))
  else if (part !== undefined) {
    const file = await openPartFile(path, {overwrite: overwrite || append, committed: committedOf(state)})
    await file.publish().finally(() => file.close())
  }

  const digest = await digestOf(path)
  if (digest === undefined && options.keepsKeys) options.onNotice(describeTaken(path))
  else if (digest !== manifest.digest) throw isGone(options)
  else await writeManifest(path, text)
  const {base} = JSON.parse(state.facts()?.frozen ?? '{}') as {base?: Base}
  await options.onWritten?.(withoutBase(manifest, base), keysSince(state))
  return {kind: 'written', manifest, wasSealed: true}
}

/** Windows that reach beyond a moment may hold records of it; a record too many does no harm. */
function keysSince(state: ExportState): (moment: string) => string[] {
  return (moment) =>
    state
      .parts()
      .filter(({to}) => to >= moment)
      .flatMap(({partition}) => state.keysOf(partition))
}

async function idOf(path: string): Promise<string | undefined> {
  return lstat(path).then(
    ({dev, ino}) => `${dev} ${ino}`,
    () => undefined,
  )
}

/** Whoever reads the files of a named export may move them; its passing name goes only after it has its own. */
function describeTaken(path: string): string {
  return `warning: ${path} was written by an earlier run and is not there any more; it is taken for read, and is not written again.`
}

function isGone({path, startOver = '--fresh'}: ExportOptions): CliFailure {
  return new CliFailure(`${path} was written and is not there any more, or was changed since.`, {
    code: 'OUTPUT_CHANGED',
    exit: 'storage',
    hints: [`Start over, with --overwrite too: ${startOver}`],
  })
}

function describeLost(lost: ReadonlyMap<string, number>, {startOver = '--fresh'}: ExportOptions): ErrorEntry[] {
  if (lost.size === 0) return []
  const fields = [...lost].map(([name, count]) => `${name} (${counted(count, 'value')})`).join(', ')
  return [
    {
      ...incomplete,
      code: 'FIELDS_NOT_SHOWN',
      message: `the service sent fields after the header was written that have no column: ${fields}`,
      retry: 'after-fix',
      hint: `Use -o ndjson, which keeps every field, or name them with --columns and start over: ${startOver}`,
    },
  ]
}

function describeGrade(grade: Manifest['grade'], parts: readonly PartFacts[], options: ExportOptions): ErrorEntry[] {
  if (grade === 'D') {
    const [first] = parts.filter(({state}) => state === 'drifted')
    const range = `${first?.served.start} … ${first?.served.end}`
    const message = `the data changed while it was read (${range}: ${first?.drift.at(-1)}); records may be missing`
    return [{...incomplete, code: 'DRIFT', message, hint: 'The same command reads these windows again.'}]
  }

  if (!isWorse(grade, options.requireGrade)) return []
  const message = `the export proved grade ${grade}, and --require-grade asks for ${options.requireGrade}`
  const hint = grade === 'C' ? toProve(options) : 'Ask for a lower grade.'
  return [{...incomplete, code: 'GRADE', message, hint}]
}

/** What was read without a check stays unproven: resuming checks nothing that was read. */
function toProve({probes, startOver = '--fresh'}: ExportOptions): string {
  if (!probes) return 'Leave --no-boundary-checks out and add --fresh, or ask for grade C.'
  return `What was read without checking its boundaries stays unproven. Ask for grade C, or start over: ${startOver}`
}

const incomplete = {exit: exitCodeOf('incomplete').code, changed: 'none', retry: 'safe'} as const
