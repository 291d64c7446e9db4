import {type WriteId, writeOperation} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {counted} from '../../values/counted.js'
import {withEarlierChange} from '../earlier-runs/related-runs.js'
import {refuseTooMany} from '../plan/check-plan.js'
import {joinReports, type RunReport} from '../report/report.js'
import {reportUnsent} from '../report/report-of-run.js'
import {countToSend} from '../rows/phases.js'
import type {Needs} from '../write/needs.js'
import {type WriteRequest, write} from '../write/write.js'
import {type PartUndo, type UndoParts, withUnknown} from './undo.js'

type Asked = Omit<WriteRequest, 'rows'>

/** Throws what would stop one write of an undo, before the other is sent: its limits, and questions that nobody answers. */
export async function checkAll(parts: UndoParts, {dryRun, maxRecords}: Asked, {person, service}: Needs): Promise<void> {
  const plans = parts.map(({undo}) => undo.plan).filter(({sets}) => sets.length > 0)
  const [first] = plans
  if (!first) return
  const together = {...first, sets: plans.flatMap(({sets}) => sets)}
  refuseTooMany(together, maxRecords)
  if (dryRun) return
  for (const plan of plans) person.checkConsent(plan)
  await service.checkFits(together)
}

/** Sends the parts of an undo one after the other; what became of the others is unsent after one that stopped. */
export async function undoParts(
  [first, ...others]: UndoParts,
  asked: Asked,
  needsOf: (operation: WriteId) => Needs,
): Promise<RunReport> {
  const send = async ({part, undo}: PartUndo) => {
    const report = await write({...asked, rows: async () => undo.plan}, needsOf(undoerOf(part.operation)))
    return withUnknown(report, undo, part.facts)
  }
  let report = await send(first)
  for (const other of others) {
    const isOver = !report.dryRun && !isDone(report)
    const next = isOver
      ? reportUnsent(other.undo.plan)
      : await send(other).catch((error: unknown) => {
          throw report.rows.applied > 0 && error instanceof CliFailure ? withEarlierChange(error) : error
        })
    report = joinReports(report, next)
  }
  return report
}

/** Whether all that was to be sent was applied. */
function isDone({ending, rows: {refused, rolledBack, inDoubt, unsent}}: RunReport): boolean {
  return !ending.isCancelled && refused + rolledBack + inDoubt + unsent === 0
}

/** The write that undoes another. */
export function undoerOf(operation: WriteId): WriteId {
  const {undo} = writeOperation(operation)
  return 'by' in undo ? undo.by : operation
}

/** A plan is of one write: of the first part that has something to send. */
export function choosePlanned(
  parts: UndoParts,
  {id, command, person}: {id: string; command: string; person: Needs['person']},
): UndoParts {
  const [chosen = parts[0], then] = parts.filter(({undo}) => undo.plan.sets.length > 0)
  if (!then) return [chosen]
  const rest = counted(countToSend(then.undo.plan), 'row')
  const again = commandLine(command, [id], {'dry-run': true, 'plan-out': 'FILE'})
  person.warn(`the plan leaves ${rest} to another write; once this plan is applied, plan those rows with: ${again}`)
  return [chosen]
}
