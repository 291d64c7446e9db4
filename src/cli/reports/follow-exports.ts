import type {ReportId} from '../../contract/index.js'
import {describeSettled} from '../../formats/conditions.js'
import {checkFits} from '../../quota/quota.js'
import {follow} from '../../reports/export/follow-events.js'
import {clockNames} from '../../reports/read/report-range.js'
import {createHeartbeat} from '../../reports/run/heartbeat.js'
import {type Exported, keepLongest, type OneExport} from '../../reports/run/record-export.js'
import type {ExportEvent} from '../../reports/run/write-export.js'
import {counted} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'
import {type Messages, notice, toLines} from '../app/messages.js'
import type {OpenedClient} from '../client/open-client.js'
import {createWindowProgress, type Progress} from '../terminal/progress.js'
import {describeOutcome} from './describe-export.js'
import type {ExportFlags} from './export-flags.js'

export type Follow = <Result>(events: AsyncGenerator<ExportEvent, Result, void>) => Promise<Result>

type Followed = Pick<OneExport, 'register' | 'engine'> & {opened: OpenedClient; progress: Progress}

/** Shows what happens in the exports of a command, and keeps its heartbeat. */
export function createFollow(
  report: ReportId,
  flags: ExportFlags,
  {opened, register, progress, engine}: Followed,
  context: CommandContext,
): Follow {
  const {messages, clock} = context
  const describe = createWindowProgress(clock.monotonic)
  const path = flags['heartbeat-file']
  const onNotice = (text: string) => notice(text, context)
  const heart =
    path === undefined
      ? undefined
      : createHeartbeat({path, name: flags['since-last'] ?? null, folder: engine.folder, clock, onNotice})

  return async (events) => {
    try {
      return await follow(events, async (event) => {
        await heart?.take(event)
        show(event)
      })
    } finally {
      await heart?.close()
    }
  }

  function show(event: ExportEvent): void {
    switch (event.kind) {
      case 'range':
        messages.note(`Reading ${event.start} … ${event.end}, ${clockNames[event.timeBasis]}.`)
        for (const note of describeSettled(flags.where ?? [], event.where)) messages.note(note)
        break
      case 'forecast':
        checkRequests(flags, opened, event.requests)
        break
      case 'page':
        progress.update(describe(event)(event.rows))
        break
      case 'clamp':
        keepLongest(report, engine, register, event.longest)
        break
      case 'notice':
        onNotice(event.text)
        break
      case 'kept':
        if (flags['since-last'] === undefined)
          messages.tell(`${event.path}.part has ${counted(event.rows, 'row')}; the same command resumes from there.`)
        break
      case 'exported':
        progress.end()
        tellOutcome(event.exported, opened.client.requestsUsed, messages)
    }
  }
}

/** Throws before the second request when the export does not fit within the day; a ceiling of the user comes first. */
function checkRequests(flags: ExportFlags, {client}: OpenedClient, requests: number): void {
  const {spread, 'max-requests': ceiling, 'until-quota': untilQuota} = flags
  if (ceiling === undefined) checkFits({what: 'The export', requests, quota: client.quota(), untilQuota, days: spread})
  if (spread !== undefined) client.spreadOver(requests, spread)
}

/** Reports the outcome of an export on standard error. */
export function tellOutcome({outcome, path}: Exported, used: number, messages: Messages): void {
  messages.note(describeOutcome(path, outcome, used))
  for (const error of outcome.errors) messages.tell(toLines('incomplete', error))
  if (outcome.kind === 'incomplete') messages.tell(`${path} was not written; what was read is kept in ${path}.part.`)
}
