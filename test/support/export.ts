import {mkdirSync} from 'node:fs'
import {dirname, join} from 'node:path'
import type {ExportFlags} from '../../src/cli/reports/export-flags.js'
import {findLayout, toAsk} from '../../src/cli/reports/export-plan.js'
import {type ReportId, reportOperation, transactionReport} from '../../src/contract/index.js'
import {systemClock} from '../../src/core/clock.js'
import {runExport} from '../../src/reports/export/export.js'
import type {
  ExportAsk,
  ExportEngine,
  ExportOrder,
  ExportOutcome,
  FileEvent,
} from '../../src/reports/export/export-types.js'
import {follow} from '../../src/reports/export/follow-events.js'
import {createSandboxClient, type Door} from './client.js'

export type ExportGiven = {
  /** Transactions unless given. */
  report?: ReportId
  sandbox: Door
  /** Resolved edges. */
  start: string
  end: string
  /** The output file; its checkpoint is kept in a folder beside it. */
  path: string
  filters?: ExportAsk['filters']
  flags?: Partial<ExportFlags>
  options?: Partial<ExportEngine & ExportOrder>
  /** Sees every event; what it throws ends the export. */
  on?: (event: FileEvent) => Promise<void> | void
}

/** What an export of this process works with. */
export function createEngine({
  sandbox,
  path,
  report = transactionReport,
  flags = {},
  options = {},
}: Omit<ExportGiven, 'start' | 'end'>): ExportEngine {
  const folder = join(dirname(path), 'exports')
  mkdirSync(folder, {recursive: true})
  return {
    client: options.client ?? createSandboxClient(sandbox).client,
    clock: systemClock,
    source: {baseUrl: sandbox.url, stage: 'v2.1', keyFingerprint: 'a key', profile: 'default'},
    folder,
    tool: 'vendorctl test',
    maximumDays: 31,
    pageSize: flags['page-size'] ?? reportOperation(report).maximumPageSize,
    pagesInFlight: flags['pages-in-flight'] ?? 4,
    probes: flags['no-boundary-checks'] !== true,
    ...options,
  }
}

/** Exports a report as the command does, in this process. */
export async function exportHere(given: ExportGiven): Promise<ExportOutcome> {
  const {start, end, path, filters = {}, flags: changes = {}, options = {}, on = () => undefined} = given
  const {report = transactionReport} = given
  const flags = {'output-file': path, start, end, ...changes} as ExportFlags
  const layout = findLayout(report, flags, {start, end})
  if (!layout) throw new TypeError('no export')
  const engine = createEngine(given)
  const order: ExportOrder = {
    layout,
    ask: toAsk(report, flags, filters, {start, end}, layout),
    ...{path, into: 'file', overwrite: flags.overwrite === true, fresh: flags.fresh === true},
    ...{append: false, skipEmpty: false, isNamed: false},
    requireGrade: flags['require-grade'] ?? 'C',
    before: {isFirst: true, keys: []},
    history: {
      startOver: '--fresh',
      resume: 'Resume it with the command that began it.',
      rows: 0,
      ended: '',
      movedBy: undefined,
    },
    ...options,
  }
  return follow(runExport(engine, order), on)
}
