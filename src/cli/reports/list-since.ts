import {allFieldsOf, type ReadId, readOperation} from '../../contract/index.js'
import {usage} from '../../core/errors.js'
import {columnsOf} from '../../formats/columns.js'
import {createMatch} from '../../formats/conditions.js'
import {beginListing, type Listing} from '../../reports/run/list-changes.js'
import type {CommandContext} from '../app/command-context.js'
import {notice} from '../app/messages.js'
import {settleWhere, toFilterValues} from '../read/filter-values.js'
import {toDrift} from '../read/finish-read.js'
import type {ReadFlags} from '../read/read-flags.js'
import {type PageOfRows, readToOutput} from '../read/read-to-output.js'
import {namedFactsOf} from './export-commands.js'
import {fillName} from './export-plan.js'
import {type ExportStore, openSharedMarks, withRegister} from './export-store.js'
import {asNight} from './failed-night.js'

type SinceFlags = ReadFlags & {'since-last': string; start?: string | undefined}

/** Flags that leave records out, which the mark would then claim as seen. */
const refused = ['limit', 'end', 'until-quota', 'fail-on-missing', 'allow-clamp'] as const

/** Lists new and changed records since the last run of a name; the mark moves once the output is complete. */
export async function listSince(id: ReadId, flags: SinceFlags, given: CommandContext): Promise<void> {
  const other = refused.find((name) => flags[name] !== undefined && flags[name] !== false)
  if (other) throw usage(`--since-last cannot be used with --${other}`)
  await asNight(flags, given, ({context}) =>
    withRegister(context.environment, (store) => listAndMark(id, flags, context, store)),
  )
}

async function listAndMark(id: ReadId, flags: SinceFlags, context: CommandContext, store: ExportStore): Promise<void> {
  const {resource} = readOperation(id)
  const columns = columnsOf(allFieldsOf(resource))
  const {environment, commandName, clock, messages} = context
  const {where, ...unnarrowed} = await fillName(flags, {}, clock.now())
  const {StartDate, ...filters} = toFilterValues(id, flags, clock.now())
  const {'since-last': name, 'page-size': pageSize} = flags
  const start = typeof StartDate === 'string' ? StartDate : undefined
  let listing: Listing | undefined
  let rows = 0
  let exit: string | undefined
  try {
    await readToOutput(
      {
        ...{flags: unnarrowed, resource, columns, isNarrowed: true},
        async start(opened) {
          const {client, source} = opened
          const match = createMatch({where: settleWhere(flags, columns, context)}, columns)
          const facts = namedFactsOf(id, commandName, flags, source)
          const onNotice = (text: string) => notice(text, context)
          const needs = {...store, client, clock, source, onNotice}
          listing = await beginListing(
            {id, name, filters, where: where ?? [], match, pageSize, start, facts},
            {...needs, openShared: () => openSharedMarks(opened, environment)},
          )
          const {range, since} = listing
          const what = since === undefined ? '' : `; listing what is new or has changed since ${since}`
          messages.note(`Reading ${range.start} … ${range.end}${what}.`)
          return toRows(listing)
        },
        finish(_, written) {
          rows = written.rows
          return {range: undefined, incomplete: toDrift(listing?.repeated() ?? 0)}
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
    const {'output-file': path = '-'} = unnarrowed
    const file = path === '-' ? null : path
    if (exit === 'ok' || exit === 'empty') await listing?.moveMark({rows, file})
  } finally {
    await listing?.release()
  }
}

async function* toRows(listing: Listing): AsyncGenerator<PageOfRows> {
  for await (const {page, windows, isMore, records} of listing.pages()) {
    const {number, totalPages} = page
    yield {records, more: isMore, progress: () => `Window ${windows} · page ${number} of ${totalPages}`}
  }
}
