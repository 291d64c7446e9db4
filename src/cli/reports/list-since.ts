import {allFieldsOf, type ReadId, readOperation} from '../../contract/index.js'
import {systemClock} from '../../core/clock.js'
import {usage} from '../../core/errors.js'
import {columnsOf} from '../../formats/columns.js'
import {createMatch, type Match, satisfies} from '../../formats/conditions.js'
import type {ExportRegister} from '../../reports/register/export-register.js'
import {exportsFolder} from '../../reports/register/register-tables.js'
import {beginListing, type Listing} from '../../reports/run/list-changes.js'
import type {JsonRecord} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {stateFolder} from '../app/folders.js'
import {forScheduler, notice} from '../app/messages.js'
import type {OpenedClient} from '../client/open-client.js'
import {filterFlagsOf} from '../read/filter-flags.js'
import {toFilterValues} from '../read/filter-values.js'
import {toDrift} from '../read/finish-read.js'
import type {ReadFlags} from '../read/read-flags.js'
import {type PageOfRows, readToOutput} from '../read/read-to-output.js'
import {settleWhere} from '../read/settle-where.js'
import {namedFactsOf, runAgain} from './export-commands.js'
import {openRegister} from './export-session.js'
import {nameNight} from './failed-night.js'
import {openSharedMarks} from './open-shared.js'

type SinceFlags = ReadFlags & {'since-last': string; start?: string | undefined}

/** Flags with which a run would not see all there is, or would claim that what it left out is known. */
const refused = ['limit', 'end', 'until-quota', 'fail-on-missing', 'allow-clamp'] as const

/** Lists what is new or has changed since the last run of a name; the mark moves once the output is complete. */
export async function listSince(id: ReadId, flags: SinceFlags, given: CommandContext): Promise<void> {
  const context = {...given, messages: forScheduler(flags['since-last'], flags.verbose, given.messages)}
  const other = refused.find((name) => flags[name] !== undefined && flags[name] !== false)
  if (other) throw usage(`--since-last cannot be used with --${other}`)
  const night = {name: flags['since-last'], run: runAgain(context.commandName, flags)}
  const {environment, messages} = context
  const register = await openRegister(environment)
  try {
    await listAndMark(id, flags, context, register)
  } catch (error) {
    throw nameNight(error, night, environment, messages)
  } finally {
    register.close()
  }
}

/** The list as it is read; `startedAt` is the time of the service at its first answer. */
type Read = {listing?: Listing; startedAt?: number | undefined; rows: number}

async function listAndMark(
  id: ReadId,
  flags: SinceFlags,
  context: CommandContext,
  register: ExportRegister,
): Promise<void> {
  const {resource} = readOperation(id)
  const columns = columnsOf(allFieldsOf(resource))
  const {where: _where, ...unnarrowed} = flags
  const read: Read = {rows: 0}
  let exit: string | undefined
  try {
    await readToOutput(
      {
        ...{flags: unnarrowed, resource, columns, isNarrowed: true},
        async start(opened) {
          read.listing = await begin(id, flags, context, {opened, register})
          return toRows(read, read.listing, createMatch({where: settleWhere(flags, columns, context)}, columns))
        },
        finish(_, {rows}) {
          read.rows = rows
          return {range: undefined, incomplete: toDrift(read.listing?.reading.repeated ?? 0)}
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
    const {rows, startedAt, listing} = read
    if (exit === 'ok' || exit === 'empty')
      await listing?.moveMark({rows, startedAt, file: flags['output-file'] ?? null})
  } finally {
    await read.listing?.release()
  }
}

async function begin(
  id: ReadId,
  flags: SinceFlags,
  context: CommandContext,
  {opened, register}: {opened: OpenedClient; register: ExportRegister},
): Promise<Listing> {
  const {environment, commandName, messages} = context
  const {StartDate, ...filters} = toFilterValues(id, flags, systemClock.now())
  const {'since-last': name, where = [], 'page-size': pageSize} = flags
  const source = opened.source
  const listing = await beginListing(
    {
      ...{id, name, filters, where, pageSize},
      start: typeof StartDate === 'string' ? StartDate : undefined,
      facts: namedFactsOf(commandName, flags, source, filterFlagsOf(id)),
    },
    {
      ...{client: opened.client, clock: systemClock, source, register},
      folder: exportsFolder(stateFolder(environment)),
      openShared: () => openSharedMarks(opened, environment),
      onNotice: (text) => notice(text, context),
    },
  )
  const {range, since} = listing
  const what = since === undefined ? '' : `; listing what is new or has changed since ${since}`
  messages.note(`Reading ${range.start} … ${range.end}${what}.`)
  return listing
}

/** The records that the conditions let through and that were not listed before as they are. */
async function* toRows(read: Read, {reading, news}: Listing, match: Match): AsyncGenerator<PageOfRows> {
  for await (const {page, windows, isMore, records} of reading.pages) {
    read.startedAt ??= page.serverTime
    const {number, totalPages} = page
    const progress = () => `Window ${windows} · page ${number} of ${totalPages}`
    yield {records: news(matching(records, match)), more: isMore, progress}
  }
  match.names?.check()
}

function* matching(records: Iterable<JsonRecord>, {conditions, names}: Match): Generator<JsonRecord, void, void> {
  for (const record of records) {
    names?.see(record)
    if (satisfies(record, conditions)) yield record
  }
}
