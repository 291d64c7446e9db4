import {type ReportId, reportOperation} from '../../contract/index.js'
import {CliFailure, type ErrorEntry} from '../../core/errors.js'
import type {ExportAsk} from '../../reports/export/export-types.js'
import {exportFile} from '../../reports/run/write-export.js'
import {counted} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'
import {describeCompressed, isMisnamed} from './describe-export.js'
import {toOneExport} from './export-commands.js'
import type {ExportFlags} from './export-flags.js'
import {requireLayout, toAsk} from './export-plan.js'
import type {ExportSession} from './export-session.js'
import {tellOutcome} from './follow-exports.js'

export type CoverageFlags = ExportFlags & {
  readonly report?: string | undefined
  readonly fill?: boolean
  readonly html?: string | undefined
}

/** Each filled gap is written to its own file. */
const usualName = (report: ReportId) => `${reportOperation(report).report.filePrefix}-{start}-{end}.csv`

type Filling = {
  report: ReportId
  flags: CoverageFlags
  filters: ExportAsk['filters']
  session: ExportSession
  context: CommandContext
}

/** The files that were written, and what kept others from being written. */
type Filled = {written: string[]; errors: ErrorEntry[]}

/** Exports each run of days to a file of its own. */
export async function fillGaps(
  holes: readonly [string, string][],
  {report, flags, filters, session, context}: Filling,
): Promise<Filled> {
  const {client} = session.opened
  const filled: Filled = {written: [], errors: []}
  const grade = flags['require-grade'] ?? (flags['no-boundary-checks'] === true ? undefined : 'B') // what proves a day
  const file = flags['output-file'] ?? `${usualName(report)}${flags.gzip === true ? '.gz' : ''}`
  if (holes.length > 0 && isMisnamed(flags, file)) context.caution(describeCompressed(file))
  if (holes.length > 1 && !file.includes('{start}'))
    throw new CliFailure(`--fill writes ${counted(holes.length, 'file')}, and --output-file names one: ${file}`, {
      code: 'TEMPLATE',
      hints: [`Put {start} and {end} in the name: ${usualName(report)}`],
    })
  for (const [first, last] of holes) {
    const range = {start: `${first}T00:00:00`, end: `${last}T23:59:59.999`}
    const named = {...flags, start: first, end: last, 'output-file': file, 'require-grade': grade}
    const layout = requireLayout('fill', report, named, range)
    const ask = toAsk(report, named, filters, range, layout)
    const before = client.requestsUsed
    const all = await session.follow(exportFile(toOneExport(named, {layout, ask}, session, context)))
    for (const exported of all) {
      const {outcome, path} = exported
      tellOutcome(exported, client.requestsUsed - before, context.messages)
      if (outcome.kind === 'written') filled.written.push(path)
      filled.errors.push(...outcome.errors)
    }
  }

  return filled
}
