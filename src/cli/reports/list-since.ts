import {allFieldsOf, type ReadId, readOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {CliFailure} from '../../core/errors.js'
import {columnsOf} from '../../formats/columns.js'
import {createMatch, type Match} from '../../formats/conditions.js'
import {identityDigest} from '../../reports/export/export-identity.js'
import {createListedBefore, type ListedBefore} from '../../reports/read/listed-before.js'
import {type ReportReading, readReport} from '../../reports/read/read-report.js'
import {latestLocalTime} from '../../reports/read/report-range.js'
import {exportsFolder} from '../../reports/register/activities.js'
import type {ExportRegister} from '../../reports/register/export-register.js'
import {lockName} from '../../reports/register/lock-name.js'
import type {SharedMarks} from '../../reports/register/shared-marks.js'
import type {Turn} from '../../reports/register/shared-turn.js'
import {findBegin, type SinceLast, toWatermark} from '../../reports/register/since-last.js'
import {marksOf, record, takeTurn} from '../../reports/register/take-turn.js'
import {coverageScope} from '../../reports/run/export-scopes.js'
import {describeOther} from '../../reports/run/export-target.js'
import {millisecondsPerDay, toDateTime} from '../../values/date-time.js'
import type {JsonRecord} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {stateFolder} from '../app/folders.js'
import {forScheduler} from '../app/messages.js'
import type {OpenedClient} from '../client/open-client.js'
import {filterFlagsOf} from '../read/filter-flags.js'
import {toFilterValues} from '../read/filter-values.js'
import {toDrift} from '../read/finish-read.js'
import type {ReadFlags} from '../read/read-flags.js'
import {type PageOfRows, readToOutput, settleWhere} from '../read/read-to-output.js'
import {namedFactsOf, runAgain} from './export-commands.js'
import {notice, openRegister, toSource} from './export-session.js'
import {nameNight} from './failed-night.js'
import {openSharedMarks} from './open-shared.js'

type SinceFlags = ReadFlags & {'since-last': string; start?: string | undefined}

/** Flags with which a run would not see all there is, or would claim that what it left out is known. */
const refused = ['limit', 'end', 'until-quota', 'fail-on-missing', 'allow-clamp'] as const

/**
 * Lists what is new or has changed since the last run of a name. All records of the days that the service serves in one
 * request are read each time and compared with how they were listed; the mark moves once the output is complete.
 */
export async function listSince(id: ReadId, flags: SinceFlags, given: CommandContext): Promise<void> {
  const context = {...given, messages: forScheduler(flags['since-last'], flags.verbose, given.messages)}
  const other = refused.find((name) => flags[name] !== undefined && flags[name] !== false)
  if (other) throw new CliFailure(`--since-last cannot be used with --${other}`, {code: 'USAGE', exit: 'usage'})
  const night = {name: flags['since-last'], run: runAgain(context.commandName, flags)}
  const {environment, messages} = context
  const register = await openRegister(environment)
  try {
    await listAndMark({id, flags, context, register})
  } catch (error) {
    throw nameNight(error, night, environment, messages)
  } finally {
    register.close()
  }
}

type Listing = {id: ReadId; flags: SinceFlags; context: CommandContext; register: ExportRegister}

async function listAndMark({id, flags, context, register}: Listing): Promise<void> {
  const {resource} = readOperation(id)
  const columns = columnsOf(allFieldsOf(resource))
  const {where: _where, ...unnarrowed} = flags
  let exit: string | undefined
  let begun: Begun | undefined
  try {
    await readToOutput(
      {
        ...{flags: unnarrowed, resource, columns, isNarrowed: true},
        async start(opened) {
          begun = await begin({id, flags, context, register}, opened)
          return toRows(begun, createMatch({where: settleWhere(flags, columns, context)}, columns))
        },
        finish: (_, {rows}) => {
          if (begun) begun.rows = rows
          return {range: undefined, incomplete: toDrift(begun?.reading.drifted ?? 0)}
        },
      },
      {
        ...context,
        present(presented) {
          exit = presented.exit ?? 'ok'
          return context.present(presented)
        },
      },
    )
    if (begun && (exit === 'ok' || exit === 'empty')) await moveMark(begun, flags, register)
  } finally {
    await begun?.release()
  }
}

type Begun = {
  sinceLast: SinceLast
  range: {start: string; end: string}
  reading: ReportReading
  listed: ListedBefore
  turn: Turn | undefined
  release: () => Promise<void>
  startedAt?: number | undefined
  rows: number
}

/** Takes the lock of the name and finds where to begin. Throws `locked`, and `usage` for a new name without --start. */
async function begin({id, flags, context, register}: Listing, opened: OpenedClient): Promise<Begun> {
  const {environment, commandName, caution, messages} = context
  const {range: {maximumDays, on} = {maximumDays: 1, on: ''}} = readOperation(id)
  const {StartDate, ...filters} = toFilterValues(id, flags, systemClock.now())
  const source = toSource(opened)
  const {where = []} = flags
  const scope = identityDigest({list: id, scope: coverageScope(source, id, filters), where: [...where]})
  const late = maximumDays * millisecondsPerDay
  const sinceLast: SinceLast = {name: flags['since-last'], scope, timeBasis: 'local', late}
  const lock = lockName(exportsFolder(stateFolder(environment)), sinceLast)
  let shared: SharedMarks | undefined
  const release = async () => {
    await shared?.close() // its locks end with its session
    lock.remove()
  }
  try {
    shared = await openSharedMarks(opened, environment)
    const onNotice = (text: string) => notice(text, context)
    const turn = shared && (await takeTurn(sinceLast, {shared, register, onNotice, isList: true})).turn
    const marks = marksOf(register, turn)
    const found = findBegin(marks, sinceLast, typeof StartDate === 'string' ? StartDate : undefined)
    const mark = marks.findWatermark(sinceLast.name, scope)
    if (!mark && marks.knowsName(sinceLast.name)) caution(describeOther(sinceLast.name, found))
    const facts = namedFactsOf(commandName, flags, source, filterFlagsOf(id))
    register.describe(sinceLast.name, scope, {...facts, isList: true})
    await turn?.describe({...facts, isList: true})
    const range = {start: found.start, end: latestLocalTime(systemClock.now())}
    const since = mark ? `; listing what is new or has changed since ${mark.at}` : ''
    messages.note(`Reading ${range.start} … ${range.end}${since}.`)
    const pageSize = flags['page-size']
    const request = {operation: id, filters, range, maximumDays, split: true, ...(pageSize !== undefined && {pageSize})}
    const reading = readReport(opened.client, request)
    return {
      ...{sinceLast, range, reading, rows: 0, turn, release},
      listed: createListedBefore(found.keys ?? [], on),
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** The records that the conditions let through and that were not listed before as they are. */
async function* toRows(begun: Begun, match: Match): AsyncGenerator<PageOfRows> {
  const {reading, listed} = begun
  for await (const {page, windows, isMore, records} of reading.pages) {
    begun.startedAt ??= page.serverTime
    const {number, totalPages} = page
    const progress = () => `Window ${windows} · page ${number} of ${totalPages}`
    yield {records: listed.news(matching(records, match)), more: isMore, progress}
  }
  match.names?.check()
}

function* matching(records: Iterable<JsonRecord>, {holds, names}: Match): Generator<JsonRecord, void, void> {
  for (const record of records) {
    names?.see(record)
    if (!holds || holds(record)) yield record
  }
}

async function moveMark(begun: Begun, flags: ReadFlags, register: ExportRegister): Promise<void> {
  const {sinceLast, range, listed, startedAt, rows, turn} = begun
  const {start, end} = range
  const asked: [string, string] = [start, end]
  const started = startedAt === undefined ? null : toDateTime(startedAt)
  const manifest = {range: {asked, served: asked, askedAs: asked}, startedAt: started, digest: 'list'}
  const value = toWatermark(sinceLast, manifest, listed.keysSince)
  const {scope} = sinceLast
  const last = {from: start, to: value.at, rows, file: flags['output-file'] ?? null, at: systemClock.now()}
  const finish = {id: crypto.randomUUID(), watermark: value, last, coverage: scope, covered: []}
  const moved = turn && (await record(sinceLast, turn, finish))
  register.finish({
    ...{scope, covered: [], at: systemClock.now(), last, watermark: {...sinceLast, value}},
    ...(moved && {shared: moved}),
  })
}
