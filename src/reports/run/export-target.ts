import {existsSync} from 'node:fs'
import {join, resolve} from 'node:path'
import type {Clock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {openCheckpoint} from '../export/checkpoint.js'
import {identityDigest, stateNameOf, toIdentity} from '../export/export-identity.js'
import type {ExportAsk, ExportSource} from '../export/export-types.js'
import type {ExportRegister} from '../register/export-register.js'
import {lockName} from '../register/lock-name.js'
import {dropRead, type FoundFile, findAnnounced, removeOrphan} from '../register/shared-files.js'
import type {SharedMarks} from '../register/shared-marks.js'
import type {Turn} from '../register/shared-turn.js'
import {type Begin, findBegin, type SinceLast} from '../register/since-last.js'
import {marksOf, takeTurn} from '../register/take-turn.js'
import {watermarkScope} from './export-scopes.js'
import type {ExportEntry, ExportRequest, PlannedExport} from './record-export.js'

/** Where an export begins and the file that it writes, which is that of an unfinished run of the same name. */
export type ExportTarget = {
  ask: ExportAsk
  path: string
  sinceLast: SinceLast | undefined
  /** Keys that were exported before; undefined when nothing was. */
  known: readonly string[] | undefined
  /** The right to write the name, where machines share it. */
  turn: Turn | undefined
  /** A file that another machine read completely, and that is recorded in the place of reading it. */
  found?: FoundFile
  release: () => Promise<void>
}

type TargetOptions = {
  request: ExportRequest
  planned: PlannedExport
  source: ExportSource
  register: ExportRegister
  shared?: SharedMarks | undefined
  folder: string
  clock: Clock
  record: Pick<ExportEntry, 'named'>
  onNotice: (text: string) => void
}

/** Finds where to begin and the file, and takes the lock of the name. Throws `locked` while another run has it. */
export async function openExportTarget(options: TargetOptions): Promise<ExportTarget> {
  const {request, planned, source, folder, register, shared, onNotice} = options
  const sinceLast = toSinceLast(request, planned, source)
  const lock = sinceLast && lockName(folder, sinceLast)
  let turn: Turn | undefined
  const release = async () => {
    await turn?.release()
    lock?.remove()
  }
  try {
    const begun = sinceLast && shared && (await takeTurn(sinceLast, {shared, register, onNotice}))
    turn = begun?.turn
    if (sinceLast && begun) await dropRead(sinceLast, {...options, ...begun})
    const target = {...toTarget(options, sinceLast, turn), turn, release}
    const {announced} = turn ?? {}
    if (turn) removeOrphan(turn, {folder, onNotice})
    if (target.facts) await turn?.describe(target.facts, resolve(target.path))
    const found = announced && (await findAnnounced(announced, {path: target.path, folder, onNotice}))
    return found ? {...target, found} : target
  } catch (error) {
    await release()
    throw error
  }
}

function toTarget(options: TargetOptions, sinceLast: SinceLast | undefined, turn: Turn | undefined) {
  const {request, planned, register, clock, record} = options
  const begin = sinceLast && beginOf(options, sinceLast, turn)
  const facts = begin && record.named
  if (facts) {
    const marks = marksOf(register, turn)
    const isFirst = !marks.findWatermark(sinceLast.name, sinceLast.scope)
    if (isFirst && marks.knowsName(sinceLast.name)) options.onNotice(`warning: ${describeOther(sinceLast.name, begin)}`)
    reportWaiting(options, sinceLast, isFirst)
    register.describe(sinceLast.name, sinceLast.scope, facts)
  }
  const moving = {
    ...planned.ask.moving,
    start: `since last ${sinceLast?.name}`,
    end: request.end?.trim().toLowerCase() ?? 'open',
  }
  const ask = begin ? {...planned.ask, start: begin.start, moving} : planned.ask
  const values = {now: clock.now(), start: ask.start, end: ask.end, name: sinceLast?.name}
  const named = fillTemplate(request.file, values)
  const path = sinceLast ? findFile(options, sinceLast, {ask, path: named}) : named
  if (sinceLast) register.beginFrom(sinceLast, turn?.version)
  return {ask, path, sinceLast, facts, known: begin?.keys}
}

/** Files that this run does not deliver: without --deliver, and once those of other filters and columns. */
function reportWaiting({request, register, onNotice}: TargetOptions, {name, scope}: SinceLast, isFirst: boolean): void {
  const left = register.outstandingOf(name).filter(({owner}) => (owner?.scope === scope ? !request.delivers : isFirst))
  if (left.length === 0) return
  const what = `${left.map(({path}) => path).join(', ')} of --since-last ${name}`
  onNotice(
    `warning: ${what} is not delivered: that takes a run with --deliver and the same filters and columns. Look: ${commandLine('exports show', [name])}`,
  )
}

/** A file that `--append --fresh` starts over holds all that is asked, including what the lost one held. */
function beginOf(
  {request, planned, register, clock}: TargetOptions,
  sinceLast: SinceLast,
  turn: Turn | undefined,
): Begin {
  const {start, end} = planned.ask
  const begin = findBegin(marksOf(register, turn), sinceLast, start || undefined)
  if (!request.append || !request.fresh) return begin
  const asked = start || begin.start
  const values = {now: clock.now(), start: asked, end, name: sinceLast.name}
  return existsSync(fillTemplate(request.file, values)) ? begin : {start: asked}
}

/** The ask of an estimate: it begins where the last export of its name ended, on whatever machine. */
export async function findAsk({
  request,
  planned,
  source,
  register,
  shared,
}: Pick<TargetOptions, 'request' | 'planned' | 'source' | 'register' | 'shared'>) {
  const sinceLast = toSinceLast(request, planned, source)
  const {ask} = planned
  if (!sinceLast) return ask
  const mark = await shared?.read(sinceLast)
  const marks = marksOf(register, mark && {mark, isKnownName: register.knowsName(sinceLast.name)})
  return {...ask, start: findBegin(marks, sinceLast, ask.start || undefined).start}
}

/** A file whose name contains the date is finished under its own name, even on a later day. */
function findFile(
  {request, planned, source, register, folder, onNotice}: TargetOptions,
  {name, scope}: SinceLast,
  {ask, path}: {ask: ExportAsk; path: string},
): string {
  const {layout} = planned
  const command = identityDigest(toIdentity({source, layout, ask, append: request.append}))
  const left = request.fresh ? undefined : register.findLastFile(name, scope)
  const isThere = left !== undefined && isUnfinished(folder, left.path)
  if (isThere && left.command === command) return left.path === resolve(path) ? path : left.path
  if (isThere && left.path !== resolve(path)) onNotice(describeLeft(name, left.path))
  register.begin(name, scope, {path: resolve(path), command})
  return path
}

/**
 * Whether an earlier run left an export to this file that can be finished: not when the service sent fields that have no
 * column in it, which only another file can hold. Throws a `CliFailure` (storage) at a damaged checkpoint.
 */
function isUnfinished(folder: string, path: string): boolean {
  const file = join(folder, `${stateNameOf(path)}.db`)
  if (!existsSync(file)) return false
  const state = openCheckpoint(file)
  try {
    const facts = state.facts()
    return facts !== undefined && (facts.lost === undefined || facts.lost === '[]')
  } finally {
    state.close()
  }
}

export function describeOther(name: string, {start}: Pick<Begin, 'start'>): string {
  return `--since-last ${name} was used with another report, service, key, filter or columns before; with these it begins at ${start}.`
}

function describeLeft(name: string, path: string): string {
  return `warning: --since-last ${name} left ${path} unfinished, and this command cannot finish it; what it had read is written to another file.`
}

export function toSinceLast(
  {sinceLast}: ExportRequest,
  {layout, ask}: PlannedExport,
  source: ExportSource,
): SinceLast | undefined {
  return sinceLast && {...sinceLast, scope: watermarkScope(source, layout, ask), timeBasis: ask.timeBasis}
}

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
