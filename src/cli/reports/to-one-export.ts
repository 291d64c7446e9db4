import {toDuration} from '../../core/durations.js'
import type {ExportRequest, OneExport, PlannedExport} from '../../reports/run/record-export.js'
import type {CommandContext} from '../app/command-context.js'
import {stopSignal} from '../terminal/signals.js'
import {commandsOf, namedFactsOf} from './export-commands.js'
import type {ExportFlags} from './export-flags.js'
import type {ExportSession} from './export-session.js'

/** One export of a command, with what the command shares with its others. */
export function toOneExport(
  flags: ExportFlags,
  planned: PlannedExport,
  {opened, register, shared, engine}: ExportSession,
  {commandName}: CommandContext,
): OneExport {
  const record = {command: commandName}
  return {
    ...{request: toExportRequest(flags), planned, register, shared, engine, signal: stopSignal()},
    record: {
      ...record,
      keepDays: Number(opened.resolved.values.keepRuns.value),
      nameRun: (id) => opened.client.nameRun(id),
      commandsOf: (path) => commandsOf({record, flags, planned}, path),
      named: namedFactsOf(planned.ask.report, commandName, flags, engine.source),
    },
  }
}

/** What the flags ask for besides the range, the filters and the layout. */
export function toExportRequest(flags: ExportFlags): ExportRequest {
  const {'since-last': name, late, end, deliver, append = false, fresh = false, overwrite = false} = flags
  return {
    ...{file: flags['output-file'] ?? '', end, append, fresh, overwrite},
    skipEmpty: flags['skip-empty'] === true,
    failOnMissing: flags['fail-on-missing'] === true,
    delivers: deliver !== undefined,
    requireGrade: flags['require-grade'] ?? 'C',
    sinceLast: name === undefined ? undefined : {name, late: late === undefined ? 0 : toDuration(late, 'late')},
  }
}
