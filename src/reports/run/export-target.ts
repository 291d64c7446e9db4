import {existsSync} from 'node:fs'
import {resolve} from 'node:path'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {ServiceSource} from '../../values/service.js'
import {openCheckpoint} from '../export/checkpoint.js'
import {identityDigest, toIdentity} from '../export/export-identity.js'
import type {ExportAsk, Notice} from '../export/export-types.js'
import {checkpointPath} from '../export/output-lock.js'
import {dropRead, findAnnounced, removeOrphan} from '../register/shared-files.js'
import type {Turn} from '../register/shared-turn.js'
import {type Begin, findBegin, lockName, nothingBefore, type SinceLast} from '../register/since-last.js'
import {marksOf, takeTurn} from '../register/take-turn.js'
import {watermarkScope} from './export-scopes.js'
import type {ExportTarget, OneExport} from './record-export.js'

/** Finds where to begin and the file, and takes the lock of the name. Throws `locked` while another run has it. */
export async function* openExportTarget(one: OneExport): AsyncGenerator<Notice, ExportTarget, void> {
  const notices: string[] = []
  try {
    return await openTarget(one, (text) => void notices.push(text))
  } finally {
    for (const text of notices) yield {kind: 'notice', text}
  }
}

type Tell = (notice: string) => void

async function openTarget(one: OneExport, onNotice: Tell): Promise<ExportTarget> {
  const {register, shared, engine} = one
  const {folder} = engine
  const sinceLast = toSinceLast(one, engine.source)
  const lock = sinceLast && lockName(folder, sinceLast)
  let turn: Turn | undefined
  const release = async () => {
    await turn?.release()
    lock?.remove()
  }
  try {
    const begun = sinceLast && shared && (await takeTurn(sinceLast, {shared, register, onNotice}))
    turn = begun?.turn
    if (sinceLast && begun) await dropRead(sinceLast, {...begun, register, folder, onNotice})
    const target = toTarget(one, sinceLast, turn, onNotice)
    const {path} = target
    if (turn) removeOrphan(turn, {folder, onNotice})
    if (sinceLast) await turn?.describe(one.record.named, resolve(path))
    const announced = turn?.announced
    const found = announced && (await findAnnounced(announced, {path, folder, onNotice}))
    return {...target, sinceLast, turn, found, release}
  } catch (error) {
    await release()
    throw error
  }
}

function toTarget(one: OneExport, sinceLast: SinceLast | undefined, turn: Turn | undefined, onNotice: Tell) {
  const {request, planned, register, record, engine} = one
  const now = engine.clock.now()
  if (!sinceLast) {
    const {ask} = planned
    return {ask, path: fillTemplate(request.file, {now, ...ask, name: undefined}), before: nothingBefore}
  }
  const {name} = sinceLast
  const {start, ...before} = beginOf(one, sinceLast, turn)
  const marks = marksOf(register, turn)
  const isFirst = !marks.findWatermark(sinceLast)
  if (isFirst && marks.knowsName(name)) onNotice(`warning: ${describeOther(name, {start})}`)
  reportWaiting(one, sinceLast, isFirst, onNotice)
  register.describe(sinceLast, record.named)
  const moving = {...planned.ask.moving, start: `since last ${name}`, end: request.end?.trim().toLowerCase() ?? 'open'}
  const ask = {...planned.ask, start, moving}
  const path = findFile(one, sinceLast, {ask, path: fillTemplate(request.file, {now, ...ask, name})}, onNotice)
  register.beginFrom(sinceLast, turn?.version)
  return {ask, path, before}
}

/** Files that this run does not deliver: without --deliver, and once those of other filters and columns. */
function reportWaiting(
  {request, register}: OneExport,
  {name, scope}: SinceLast,
  isFirst: boolean,
  onNotice: Tell,
): void {
  const left = register.outstandingOf(name).filter(({owner}) => (owner?.scope === scope ? !request.delivers : isFirst))
  if (left.length === 0) return
  const what = `${left.map(({path}) => path).join(', ')} of --since-last ${name}`
  onNotice(
    `warning: ${what} is not delivered: that takes a run with --deliver and the same filters and columns. Look: ${commandLine('exports show', [name])}`,
  )
}

/** A file that `--append --fresh` starts over has all that is asked, including the rows of the lost one. */
function beginOf(one: OneExport, sinceLast: SinceLast, turn: Turn | undefined): Begin {
  const {request, planned, register, engine} = one
  const {start, end} = planned.ask
  const begin = findBegin(marksOf(register, turn), sinceLast, start || undefined)
  if (!request.append || !request.fresh) return begin
  const asked = start || begin.start
  const values = {now: engine.clock.now(), start: asked, end, name: sinceLast.name}
  return existsSync(fillTemplate(request.file, values)) ? begin : {start: asked, ...nothingBefore}
}

/** The ask of an estimate: it begins where the last export of its name ended, on whatever machine. */
export async function findAsk(one: Omit<OneExport, 'engine' | 'record' | 'signal'>, source: ServiceSource) {
  const {planned, register, shared} = one
  const sinceLast = toSinceLast(one, source)
  const {ask} = planned
  if (!sinceLast) return ask
  const mark = await shared?.read(sinceLast)
  const marks = marksOf(register, mark && {mark, isKnownName: register.knowsName(sinceLast.name)})
  return {...ask, start: findBegin(marks, sinceLast, ask.start || undefined).start}
}

/** A file whose name contains the date is finished under its own name, even on a later day. */
function findFile(
  {request, planned, register, engine}: OneExport,
  sinceLast: SinceLast,
  {ask, path}: {ask: ExportAsk; path: string},
  onNotice: Tell,
): string {
  const {source, folder} = engine
  const {layout} = planned
  const command = identityDigest(toIdentity({source, layout, ask, append: request.append}))
  const left = request.fresh ? undefined : register.findLastFile(sinceLast)
  const isThere = left !== undefined && isUnfinished(folder, left.path)
  if (isThere && left.command === command) return left.path === resolve(path) ? path : left.path
  if (isThere && left.path !== resolve(path)) onNotice(describeLeft(sinceLast.name, left.path))
  register.begin(sinceLast, {path: resolve(path), command})
  return path
}

/**
 * Whether an earlier run left an export to this file that can be finished: not when the service sent fields that have
 * no column in it, which need another file. Throws a `CliFailure` (storage) at a damaged checkpoint.
 */
function isUnfinished(folder: string, path: string): boolean {
  const file = checkpointPath(folder, path)
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
  {request: {sinceLast}, planned: {layout, ask}}: Pick<OneExport, 'request' | 'planned'>,
  source: ServiceSource,
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
    if (value !== undefined) return value.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^\.+/, '')
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
