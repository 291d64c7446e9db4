import {type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {checkRows} from '../../runs/check/check-file.js'
import {knownOf, planRows} from '../../runs/plan/plan-rows.js'
import type {Checked} from '../../runs/rows/phases.js'
import type {Needs} from '../../runs/write/needs.js'
import type {CommandContext} from '../app/command-context.js'
import {applyPlanFile} from '../plans/apply-plan-file.js'
import {stopSignal} from '../terminal/signals.js'
import {toInputOptions} from './input-options.js'
import {writeRows} from './run-write.js'
import {toSending} from './sending-flags.js'
import type {WriteFlags} from './write-flags.js'

/** A bulk write from a file, or from a plan file. */
export async function writeFromFile(operation: WriteId, flags: WriteFlags, context: CommandContext): Promise<void> {
  const {'apply-plan': planPath} = flags
  if (planPath !== undefined) return applyPlanFile({operation, flags, context}, planPath)
  await writeRows({operation, flags, context}, await fromFile(operation, flags))
}

/**
 * The rows of a file, all of which are read and checked. Throws `usage` for wrong flags, and later `invalid` for a file with
 * problems, once its warnings were shown as well.
 */
export async function fromFile(operation: WriteId, flags: WriteFlags): Promise<(needs: Needs) => Promise<Checked>> {
  const {file = '-', 'send-unchanged': sendUnchanged, replace = false} = flags
  const input = await toInputOptions(operation, flags)
  const merges = writeOperation(operation).merge === 'full-replace' && !replace
  return async ({service, person, files}) => {
    const checked = await checkRows(operation, {...input, file, merges, through: files.through, signal: stopSignal})
    try {
      const {names, changes} = input
      const later = () => import('../../runs/names/resolve-names.js')
      const named = names && (await (await later()).resolveNames(operation, checked, names, service.client))
      return planRows(operation, checked, {sending: toSending(flags), merges, sendUnchanged, named, changes})
    } catch (error) {
      person.tell(knownOf(checked))
      const {problems} = checked.checker
      if (error instanceof CliFailure && error.exit === 'invalid' && !checked.broken)
        error.hints.unshift(...files.remedies(problems))
      throw error
    }
  }
}
