import type {SyncCost} from '../../mirror/sync/estimate-sync.js'
import type {Synced, SyncOptions, SyncProgress} from '../../mirror/sync/sync-types.js'
import {counted, thousands} from '../../values/counted.js'
import type {JsonValue} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {toLines} from '../app/messages.js'
import type {OpenedClient} from '../client/open-client.js'
import {createPace} from '../terminal/progress.js'
import {simpleTable} from '../terminal/simple-table.js'

/** Rows, rate and time left of each list by itself: the lists before it say nothing of it. */
export function createSyncProgress(update: (text: string) => void, monotonic: () => number): SyncOptions['onProgress'] {
  let [current, pace] = ['', createPace(monotonic)]
  return (seen) => {
    const {what, rows, page, totalPages, done = page / Math.max(1, totalPages)} = seen
    if (what !== current) [current, pace] = [what, createPace(monotonic)]
    update(`${describePlace(seen)} · ${pace(rows, done)}`)
  }
}

function describePlace({what, window, page, totalPages}: SyncProgress): string {
  return `${what}${window === undefined ? '' : `, window ${window}`} · page ${page} of ${totalPages}`
}

/** Ends the command with the requests that a sync would take. */
export async function presentSyncCost(cost: SyncCost, opened: OpenedClient, {present}: CommandContext): Promise<void> {
  const {requests, lists, pages, probes, windows} = cost
  const {available, perDay} = opened.client.quota()
  const text = [
    `${counted(requests, 'request')}: ${counted(lists, 'page')} of lists, ${counted(pages, 'page')} and ${counted(probes, 'boundary check')} of transactions in ${counted(windows, 'window')}, 1 login`,
    `${((requests / perDay) * 100).toFixed(1)} % of the day's requests; ${thousands(available)} may be used today`,
    '',
  ].join('\n')
  await present({data: {...cost, available}, text, meta: opened.meta()})
}

type Presenting = {name: string; opened: OpenedClient}

/** Ends the command with what became of each table. */
export async function presentSynced(
  {tables, skipped, errors, grade, range, pages}: Synced,
  {name, opened}: Presenting,
  {messages, measure, present}: CommandContext,
): Promise<void> {
  const sum = (field: 'added' | 'changed' | 'gone' | 'back') => tables.reduce((all, table) => all + table[field], 0)
  const changes = {added: sum('added'), changed: sum('changed'), deleted: sum('gone'), restored: sum('back')}
  measure(() => ({rows: changes, ...(grade && {grade}), file: name}))
  for (const error of errors) messages.tell(toLines('incomplete', error))
  const {added, changed, deleted, restored} = changes
  const proven = grade ? `, grade ${grade}` : ''
  messages.note(
    `${name}: ${thousands(added)} added, ${thousands(changed)} changed, ${thousands(deleted)} deleted, ${thousands(restored)} restored; ${counted(pages, 'page')}, ${counted(opened.client.requestsUsed, 'request')}${proven}`,
  )
  const rows = tables.map((one) =>
    [one.table, one.rows, one.deleted, one.read, one.added, one.changed, one.gone, one.back].map((cell) =>
      typeof cell === 'number' ? thousands(cell) : cell,
    ),
  )
  const headers = ['table', 'rows', 'deleted', 'read', 'added', 'changed', 'newly deleted', 'restored']
  await present({
    data: {database: name, ...changes, grade: grade ?? null, tables, skipped} as unknown as JsonValue,
    text: await simpleTable(headers, rows),
    meta: {
      ...opened.meta(),
      pages,
      ...(range && {range: {asked: [range.start, range.end], served: [range.start, range.end]}}),
    },
    exit: errors.length > 0 ? 'incomplete' : 'ok',
    errors,
  })
}
