import {type WriteId, writeOperation} from '../../contract/index.js'
import {isCreation} from '../../runs/plan/plan-view.js'
import type {Compared} from '../../runs/rows/phases.js'
import {type Problem, problemText} from '../../validate/problem.js'
import {counted, thousands} from '../../values/counted.js'
import {placeIn, placeText} from '../../values/place.js'
import type {CommandContext} from '../app/command-context.js'
import {toText} from '../app/messages.js'
import {askTyped, canAsk} from '../terminal/prompt.js'
import {applyPlanFile} from './apply-plan-file.js'
import {findChosen} from './chosen-rows.js'
import {fromFile} from './rows-of-file.js'
import {writeRows} from './run-write.js'
import type {ApplyFlags, SelectionFlags} from './write-flags.js'

/** A bulk write from a file, or from a plan file. */
export async function writeFromFile(
  operation: WriteId,
  flags: SelectionFlags,
  context: CommandContext,
  named: readonly string[] = [],
): Promise<void> {
  const {'apply-plan': planPath} = flags
  const chosen = findChosen(operation, flags, named)
  if (planPath !== undefined) return applyPlanFile({operation, flags, context}, planPath)
  await writeRows({operation, flags, context}, await fromFile(operation, flags, chosen))
}

/** A write that changes the records of a file that exist, and makes the others. */
export async function applyFile(operation: WriteId, flags: ApplyFlags, context: CommandContext): Promise<void> {
  const {'apply-plan': planPath} = flags
  if (planPath !== undefined) return applyPlanFile({operation, flags, context}, planPath)
  const {creates} = writeOperation(operation)
  const named = creates ? [writeOperation(creates).identity.join(',')] : []
  const given = {...flags, match: flags.match ?? named}
  const near: Problem[] = []
  const rows = await fromFile(operation, given, undefined, {
    takesNew: true,
    near: flags['allow-similar'] ? undefined : near,
    creates: !flags['no-create'],
  })
  const judge = (compared: Compared) => judgeNew(compared, near, flags)
  await writeRows({operation, flags: given, context}, rows, {judge})
}

/**
 * Adds problems for rows that must not create or change a record, and for names that resemble existing ones, unless a
 * person confirms these on a terminal.
 */
async function judgeNew(compared: Compared, near: readonly Problem[], flags: ApplyFlags): Promise<Compared> {
  const {'no-create': noCreate, 'no-update': noUpdate, 'dry-run': dryRun} = flags
  const {comparison, problems} = compared
  const changes = comparison?.changes ?? []
  const refuse = (isRefused: typeof isCreation, code: Problem['code'], message: string) =>
    [...new Set(changes.filter(isRefused).map(({line}) => line))].map(
      (line): Problem => ({...placeIn(compared, line), severity: 'error', code, message}),
    )
  const refused = [
    ...(noCreate ? refuse(isCreation, 'NOT_TO_CREATE', 'its record does not exist (--no-create)') : []),
    ...(noUpdate
      ? refuse((change) => !isCreation(change), 'NOT_TO_UPDATE', 'it would change its record (--no-update)')
      : []),
  ]
  const isAsked = problems.length + refused.length === 0 && !dryRun && !flags.yes && canAsk(flags)
  const isMeant = near.length === 0 || (isAsked && (await askNear(near)))
  return {...compared, problems: [...problems, ...refused, ...(isMeant ? [] : near)]}
}

/** Most rows above a question. */
const nearShown = 10

function askNear(near: readonly Problem[]): Promise<boolean> {
  const shown = near.slice(0, nearShown).map((problem) => `${placeText(problem)}: ${problemText(problem)}`)
  const more = near.length > nearShown ? [`… and ${thousands(near.length - nearShown)} more`] : []
  const above = toText([...shown, ...more])
  return askTyped(`Create ${counted(near.length, 'record')} all the same? Type "yes"`, 'yes', {above, isShown: false})
}
