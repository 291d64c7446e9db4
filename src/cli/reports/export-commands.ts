import {resolve} from 'node:path'
import {type ReadId, type ReportId, reportOperation} from '../../contract/index.js'
import {flagText} from '../../core/command-line.js'
import {toDuration} from '../../core/durations.js'
import type {NamedFacts} from '../../reports/register/named-marks.js'
import type {ExportRequest, OneExport, PlannedExport} from '../../reports/run/record-export.js'
import type {ServiceSource} from '../../values/service.js'
import type {CommandContext} from '../app/command-context.js'
import {filterFlagsOf} from '../read/filter-flags.js'
import {stopSignal} from '../terminal/signals.js'
import type {ExportFlags} from './export-flags.js'
import type {ExportSession} from './export-session.js'

/** Flags that decide how a command prints, and nothing of what it writes. */
const quiet = ['json', 'quiet', 'verbose', 'no-color', 'no-input']
/** Flags that are not repeated: also `--fresh`, and targets of notifications, which may contain a secret. */
const omitted = [...quiet, 'fresh', 'notify-url', 'notify-command']
const paths = ['output-file', 'html', 'heartbeat-file', 'log-http', 'metrics-file']

/** The parsed flags of exports and of lists. */
type TypedFlags = Readonly<Record<string, unknown>>

/** One export of the command of a report, or of one that fills gaps. */
type Export = {record: {command: string}; flags: TypedFlags; planned: {ask: {report: ReportId}}}

/** The arguments of `vendorctl` that resume an export and those that start it over, from any folder. */
export function commandsOf({record, flags, planned}: Export, path: string): {resume: string; startOver: string} {
  const {command} = reportOperation(planned.ask.report)
  const {fill: _fill, html: _html, report: _report, ...plain} = flags
  const named = toArguments({...plain, 'output-file': resolve(path)})
  const resume = [record.command, ...(record.command === command ? named : toArguments(flags))].join(' ')
  return {resume, startOver: [command, ...named, '--fresh'].join(' ')}
}

/** The arguments of `vendorctl` that run a command again, from any folder. */
export function runAgain(command: string, flags: TypedFlags): string {
  return [command, ...toArguments(flags)].join(' ')
}

/** Flags besides filters that decide which records of a name are written, and which parts of them. */
const narrowing = ['where', 'columns', 'rows', 'time-basis']

/** The request of a name of `--since-last`, in this run. */
export function namedFactsOf(
  id: ReadId,
  command: string,
  flags: TypedFlags,
  {profile, stage, baseUrl}: ServiceSource,
): NamedFacts {
  const chosen = [...filterFlagsOf(id), ...narrowing].map((name) => [name, flags[name]])
  return {
    command,
    run: runAgain(command, flags),
    ...{profile, stage, baseUrl},
    filters: toArguments(Object.fromEntries(chosen)).join(' '),
    ...(flags['append'] === true && {isAppended: true}),
    ...(flags['deliver'] !== undefined && {isDelivered: true}),
  }
}

/** The command that shows the days of exports again, without what it reads and writes. */
export function coverageCommand(flags: TypedFlags): string {
  const {fill: _fill, html: _html, 'output-file': _file, overwrite: _overwrite, ...shown} = flags
  return ['vendorctl reports coverage', ...toArguments(shown)].join(' ')
}

function toArguments(flags: TypedFlags): string[] {
  return Object.entries(flags).flatMap(([name, value]): string[] => {
    if (value === undefined || value === false || omitted.includes(name)) return []
    if (value === true) return [`--${name}`]
    return [value].flat().map((one) => toArgument(name, String(one)))
  })
}

function toArgument(name: string, value: string): string {
  return flagText(name, paths.includes(name) ? resolve(value) : fromAnyFolder(value))
}

/** A value of a filter, whose list may be in a file. */
export function fromAnyFolder(value: string): string {
  return value.startsWith('@') ? `@${resolve(value.slice(1))}` : value
}

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

/** The request of the flags, without the range, the filters and the layout. */
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
