import type {Deliveries} from '../../jobs/deliver/deliver-after-export.js'
import {describeUnproven} from '../../reports/read/missing-ids.js'
import type {Exported, PlannedExport} from '../../reports/run/record-export.js'
import {exportAndDeliver} from '../../reports/run/write-export.js'
import type {JsonValue} from '../../values/json.js'
import type {CommandContext} from '../app/command-context.js'
import {tellEmpty} from '../read/finish-read.js'
import {describeContradiction} from '../read/format-of.js'
import {startDeadline} from '../terminal/deadline.js'
import {describeCompressed, isMisnamed} from './describe-export.js'
import {toOneExport} from './export-commands.js'
import type {ExportFlags} from './export-flags.js'
import {type ExportSession, withExportSession} from './export-session.js'
import {asNight} from './failed-night.js'
import {openDeliveries, planDelivery} from './open-deliveries.js'

/** Exports the report to a file, resumes what an earlier run left, and ends the command. */
export async function exportToFile(flags: ExportFlags, planned: PlannedExport, given: CommandContext): Promise<void> {
  await asNight(flags, given, async ({context, tellOfNight}) => {
    const {caution, messages, present} = context
    const {'output-file': file = ''} = flags
    const contradiction = describeContradiction(flags)
    const delivery = planDelivery(flags)
    if (isMisnamed(flags, file)) caution(describeCompressed(file))
    if (contradiction) caution(contradiction)
    const {report, filters} = planned.ask
    await withExportSession(report, flags, context, async (session) => {
      const {opened, follow} = session
      const cancelDeadline = startDeadline(flags, context.clock)
      const one = toOneExport(flags, planned, session, context)
      const deliveries = delivery && openDeliveries(delivery, one, context)
      try {
        const all = await follow(exportAndDeliver(one, deliveries))
        const exported = all.findLast(({outcome}) => outcome.kind !== 'skipped') ?? all.at(-1) // the last that has a file
        if (!exported) {
          reportNothing(flags, planned.ask, context)
          return await present({data: null, meta: {requests: opened.meta().requests}, ...deliveries?.ending()})
        }
        const isEmpty = exported.outcome.manifest.rows === 0 && !flags.where && !flags['fail-on-missing']
        const unproven = isEmpty ? describeUnproven(report, filters) : undefined
        if (unproven !== undefined) messages.note(unproven)
        if (exported.outcome.kind === 'incomplete') tellOfNight()
        await presentExport(flags, {opened, all, exported, deliveries}, context)
      } finally {
        cancelDeadline()
      }
    })
  })
}

/** Reports that the last run of the name read beyond the end; an end of now means that the clock here is behind. */
function reportNothing(
  flags: ExportFlags,
  {start, end}: PlannedExport['ask'],
  {caution, messages}: CommandContext,
): void {
  const text = `Nothing to read: the last run read beyond ${end}`
  if (start > end) caution(`Nothing to read yet: --start ${start} is in the future`)
  else if (flags.end === undefined) caution(`${text}. The clock of this machine seems to be wrong`)
  else messages.note(`${text}.`)
}

async function presentExport(
  flags: ExportFlags,
  {
    opened,
    all,
    exported,
    deliveries,
  }: Pick<ExportSession, 'opened'> & {all: Exported[]; exported: Exported; deliveries: Deliveries | undefined},
  {present, measure, messages}: CommandContext,
): Promise<void> {
  const {outcome, path} = exported
  const {manifest, errors} = outcome
  const rows: Record<string, number> = {}
  for (const {kind, added} of all.map((one) => one.outcome)) {
    const fate = kind === 'incomplete' ? 'kept' : 'written'
    rows[fate] = (rows[fate] ?? 0) + added
  }
  const file = outcome.kind === 'skipped' ? null : path
  measure(() => ({rows, grade: manifest.grade, ...(file !== null && {file})}))
  const isNew = all.some((one) => one.outcome.added > 0)
  const isEmpty = !isNew && errors.length === 0 && flags['fail-on-empty'] === true
  const {asked, served} = manifest.range
  await present({
    data: {...manifest, file, ...(deliveries && {deliveries: deliveries.done})} as unknown as JsonValue,
    meta: {...opened.meta(), pages: manifest.pages, truncated: false, range: {asked, served}},
    exit: errors.length > 0 ? 'incomplete' : isEmpty ? 'empty' : 'ok',
    errors: isEmpty ? [tellEmpty(messages)] : errors,
    ...deliveries?.ending(errors),
  })
}
