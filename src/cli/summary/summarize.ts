import {filterKeysOf, filterOf, readOperation, transactionReport} from '../../contract/index.js'
import {withoutSecrets} from '../../core/environment.js'
import {CliFailure, usage} from '../../core/errors.js'
import {keepMemoryFlat} from '../../core/flat-memory.js'
import {redact} from '../../core/redact.js'
import {refuseSamePaths} from '../../formats/files/file-steps.js'
import {summarizeFile} from '../../reports/summary/summary-file.js'
import {counted} from '../../values/counted.js'
import type {CommandContext} from '../app/command-context.js'
import {tellEmpty} from '../read/finish-read.js'
import {withTarget} from '../read/text-target.js'
import {openGroups} from './group-output.js'
import {findPicture} from './picture-output.js'
import {summarizeService} from './summarize-service.js'
import type {SummaryFlags, SummaryWork} from './summary-output.js'

/** Counts and totals of the transaction report: of a live read, or of a file that was exported before. */
export async function summarizeReport(
  report: string | undefined,
  given: SummaryFlags,
  context: CommandContext,
): Promise<void> {
  const {fillName} = await import('../reports/export-plan.js')
  const flags = await fillName(given, {}, context.clock.now())
  const isMixed = report !== undefined
  const picture = findPicture(flags, context)
  if (isMixed) refuseFilters(flags)
  await refuseSamePaths({FILE: report, '--output-file': flags['output-file']})
  const output = picture
    ? (await import('./picture-output.js')).openPicture(picture, flags, {isMixed, context})
    : openGroups(flags, {isMixed, context})
  const deliver = await openDelivery(flags, context)
  await withTarget(flags, context, async (file) => {
    const target = {...file, commit: () => file.commit().then(deliver)}
    const work = {flags, output, write: await output.open(target), target, context}
    keepMemoryFlat()
    await (report === undefined ? summarizeService(work) : summarizeExport(report, work))
  })
}

/** The delivery of the file once it is complete. */
async function openDelivery({deliver, 'output-file': path}: SummaryFlags, context: CommandContext) {
  if (deliver === undefined) return undefined
  if (path === undefined || path === '-') throw usage('--deliver needs a file.', 'Add --output-file.')
  const {toFileDelivery} = await import('../../jobs/deliver/deliver-file.js')
  const {clock, signal, environment, messages} = context
  const common = {clock, signal, environment: withoutSecrets(environment), redact}
  return toFileDelivery(deliver, path, {...common, onLine: (line) => messages.note(line)})
}

async function summarizeExport(file: string, {flags, output, write, target, context}: SummaryWork): Promise<void> {
  const {messages, signal} = context
  const read = {rows: 0}
  const onRows = (rows: number) => void Object.assign(read, {rows})
  await summarizeFile(file, output.summary, {onRows, signal})
  const {rows, notes, data} = await write({file})
  await target.commit()
  for (const note of notes) messages.note(note)
  messages.detail(`${file}: ${counted(read.rows, 'row')}, ${counted(rows, output.unit)}`)
  const isEmpty = rows === 0 && flags['fail-on-empty'] === true
  await context.present({
    data: data ?? {file: target.path ?? null, rows, pages: 0},
    ...(isEmpty && {exit: 'empty', errors: [tellEmpty(messages, 'the file')]}),
  })
}

/** Throws `usage` for flags that narrow a read of the service and have no effect on a file. */
function refuseFilters(flags: SummaryFlags): void {
  const names = filterKeysOf(readOperation(transactionReport)).map((key) => filterOf(key).flag)
  const given = [...names, 'no-split', 'allow-clamp'].filter(
    (name) => flags[name] !== undefined && flags[name] !== false,
  )
  if (given.length === 0) return
  throw new CliFailure(`--${given[0]} narrows a read of the service and has no effect on a file`, {
    code: 'FLAG_WITHOUT_EFFECT',
    hints: ['Leave the flag out, or the file.'],
  })
}
