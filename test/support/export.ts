import {mkdirSync} from 'node:fs'
import {dirname, join} from 'node:path'
import type {ExportFlags} from '../../src/cli/reports/export-flags.js'
import {findLayout, toAsk} from '../../src/cli/reports/export-plan.js'
import {type ReportId, transactionReport} from '../../src/contract/index.js'
import {systemClock} from '../../src/core/clock.js'
import {runExport} from '../../src/reports/export/export.js'
import type {ExportAsk, ExportOptions, ExportOutcome} from '../../src/reports/export/export-types.js'
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
  options?: Partial<ExportOptions>
}

/** Exports a report as the command does, in this process. */
export async function exportHere(given: ExportGiven): Promise<ExportOutcome> {
  const {sandbox, start, end, path, filters = {}, flags: changes = {}, options = {}} = given
  const {report = transactionReport} = given
  const flags = {'output-file': path, start, end, ...changes} as ExportFlags
  const layout = findLayout(report, flags, {start, end})
  if (!layout) throw new TypeError('no export')
  const folder = join(dirname(path), 'exports')
  mkdirSync(folder, {recursive: true})
  return runExport({
    client: options.client ?? createSandboxClient(sandbox).client,
    clock: systemClock,
    signal: new AbortController().signal,
    source: {baseUrl: sandbox.url, stage: 'v2.1', keyFingerprint: 'a key', profile: 'default'},
    layout,
    ask: toAsk(report, flags, filters, {start, end}, layout),
    ...{path, folder, overwrite: flags.overwrite === true, fresh: flags.fresh === true},
    tool: 'vendorctl test',
    maximumDays: 31,
    ...(flags['page-size'] !== undefined && {pageSize: flags['page-size']}),
    pagesInFlight: flags['pages-in-flight'] ?? 4,
    probes: flags['no-boundary-checks'] !== true,
    requireGrade: flags['require-grade'] ?? 'C',
    onRange: () => undefined,
    onKept: () => undefined,
    onProgress: () => undefined,
    onNotice: () => undefined,
    ...options,
  })
}
