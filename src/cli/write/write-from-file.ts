import {type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {type CheckedRows, checkNewRows, checkRows} from '../../runs/check/check-file.js'
import type {NamedRows} from '../../runs/names/resolve-names.js'
import {knownOf, planRows} from '../../runs/plan/plan-rows.js'
import type {Checked, Compared} from '../../runs/rows/phases.js'
import type {Needs} from '../../runs/write/needs.js'
import {type Problem, problemText} from '../../validate/problem.js'
import {counted, thousands} from '../../values/counted.js'
import {type JsonRecord, printJson} from '../../values/json.js'
import {placeIn, placeText} from '../../values/place.js'
import type {CommandContext} from '../app/command-context.js'
import {toText} from '../app/messages.js'
import {askTyped, canAsk} from '../terminal/prompt.js'
import {stopSignal} from '../terminal/signals.js'
import {applyPlanFile} from './apply-plan-file.js'
import {type Chosen, findChosen} from './chosen-rows.js'
import {isCreation} from './diff-view.js'
import {toInputOptions} from './input-options.js'
import {writeRows} from './run-write.js'
import {toSending} from './sending-flags.js'
import type {ApplyFlags, SelectionFlags, WriteFlags} from './write-flags.js'

/** A bulk write from a file, or from a plan file. */
export async function writeFromFile(
  operation: WriteId,
  flags: SelectionFlags,
  context: CommandContext,
  named: readonly string[] = [],
): Promise<void> {
  const {'apply-plan': planPath} = flags
  if (planPath !== undefined) return applyPlanFile({operation, flags, context}, planPath)
  await writeRows({operation, flags, context}, await fromFile(operation, flags, findChosen(operation, flags, named)))
}

/** A write that changes the records of a file that exist, and makes the others. */
export async function applyFile(operation: WriteId, flags: ApplyFlags, context: CommandContext): Promise<void> {
  const {'apply-plan': planPath} = flags
  if (planPath !== undefined) return applyPlanFile({operation, flags, context}, planPath)
  const {creates} = writeOperation(operation)
  const named = creates ? [writeOperation(creates).identity.join(',')] : []
  const given = {...flags, match: flags.match ?? named}
  const near: Problem[] = []
  const rows = await fromFile(operation, given, undefined, {takesNew: true, near})
  await writeRows({operation, flags: given, context}, rows, undefined, (compared) => judgeNew(compared, near, flags))
}

/** What stops rows of such a write; on a terminal, a person may say that names which are nearly others are meant. */
async function judgeNew(compared: Compared, near: readonly Problem[], flags: ApplyFlags): Promise<Compared> {
  const {'no-create': noCreate, 'no-update': noUpdate, 'allow-similar': allowed, 'dry-run': dryRun} = flags
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
  const isMeant = near.length === 0 || allowed || (isAsked && (await askNear(near)))
  return {...compared, problems: [...problems, ...refused, ...(isMeant ? [] : near)]}
}

/** Rows above a question. */
const nearShown = 10

function askNear(near: readonly Problem[]): Promise<boolean> {
  const shown = near.slice(0, nearShown).map((problem) => `${placeText(problem)}: ${problemText(problem)}`)
  const more = near.length > nearShown ? [`… and ${thousands(near.length - nearShown)} more`] : []
  const above = toText([...shown, ...more])
  return askTyped(`Create ${counted(near.length, 'record')} all the same? Type "yes"`, 'yes', {above, isShown: false})
}

/**
 * The rows of a file, all of which are read and checked. Throws `usage` for wrong flags, and later `invalid` for a file with
 * problems, once its warnings were shown as well.
 */
export async function fromFile(
  operation: WriteId,
  flags: WriteFlags,
  chosen?: Chosen,
  {takesNew, near}: {takesNew: boolean; near: Problem[]} = {takesNew: false, near: []},
): Promise<(needs: Needs) => Promise<Checked>> {
  const {file = '-', 'send-unchanged': sendUnchanged, replace = false} = flags
  const input = await toInputOptions(operation, flags)
  const merges = writeOperation(operation).merge === 'full-replace' && !replace
  return async (needs) => {
    const {service, person, files} = needs
    const {rows, found: held = null} = (await chosen?.read(needs)) ?? {}
    const given = rows && {file: chosen?.name ?? '', format: 'json' as const, source: toBytes(rows)}
    const options = {...input, file, merges, through: files.through, signal: stopSignal(), ...given}
    const checked = await checkRows(operation, options)
    try {
      const {names, changes} = input
      const later = () => import('../../runs/names/resolve-names.js')
      const found =
        names && (await (await later()).resolveNames(operation, checked, {...names, takesNew}, service.client))
      const named = found && withNewRows(operation, checked, found)
      near.push(...(named?.problems ?? []).filter(({code}) => code === 'SIMILAR_RECORD'))
      const planned = planRows(operation, checked, {sending: toSending(flags), merges, sendUnchanged, named, changes})
      return held ? {...planned, found: held} : planned
    } catch (error) {
      person.tell(knownOf(checked))
      const {problems} = checked.checker
      if (error instanceof CliFailure && error.exit === 'invalid' && !checked.broken && !chosen)
        error.hints.unshift(...files.remedies(problems))
      throw error
    }
  }
}

/** New records need more of their rows than changed ones. */
function withNewRows(operation: WriteId, checked: CheckedRows, named: NamedRows): NamedRows {
  const {creates} = writeOperation(operation)
  if (!creates || named.fresh.length === 0) return named
  return {...named, problems: [...named.problems, ...checkNewRows(creates, checked, named.fresh)]}
}

async function* toBytes(rows: JsonRecord[]): AsyncGenerator<Buffer> {
  yield Buffer.from(printJson(rows))
}
