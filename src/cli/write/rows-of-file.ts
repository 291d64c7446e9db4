import {type WriteId, writeOperation} from '../../contract/index.js'
import {CliFailure} from '../../core/errors.js'
import {type CheckedRows, checkNewRows, checkRows} from '../../runs/check/check-file.js'
import type {NamedRows} from '../../runs/names/resolve-names.js'
import {messagesOf, planRows} from '../../runs/plan/plan-rows.js'
import type {Checked} from '../../runs/rows/phases.js'
import type {Needs} from '../../runs/write/needs.js'
import type {Problem} from '../../validate/problem.js'
import {type JsonRecord, printJson} from '../../values/json.js'
import {stopSignal} from '../terminal/signals.js'
import type {Chosen} from './chosen-rows.js'
import {toInputOptions} from './input-options.js'
import {toSending} from './sending-flags.js'
import type {WriteFlags} from './write-flags.js'

/**
 * The rows of a file, all of which are read and checked. Throws `usage` for wrong flags, and later `invalid` for a file with
 * problems, once its warnings were shown as well.
 */
export async function fromFile(
  operation: WriteId,
  flags: WriteFlags,
  chosen?: Chosen,
  {takesNew = false, near, creates = true}: {takesNew?: boolean; near?: Problem[] | undefined; creates?: boolean} = {},
): Promise<(needs: Needs) => Promise<Checked>> {
  const {file = '-', 'send-unchanged': sendUnchanged, replace = false} = flags
  const input = await toInputOptions(operation, flags)
  const merges = writeOperation(operation).merge === 'full-replace' && !replace
  return async (needs) => {
    const {service, person, files} = needs
    const {rows, found: chosenRecords = null} = (await chosen?.read(needs)) ?? {}
    const given = rows && {file: chosen?.name ?? '', format: 'json' as const, source: toBytes(rows)}
    const options = {...input, file, merges, through: files.through, signal: stopSignal(), ...given}
    const checked = await checkRows(operation, options)
    try {
      const {names, changes} = input
      const later = () => import('../../runs/names/resolve-names.js')
      const found =
        names && (await (await later()).resolveNames(operation, checked, {...names, takesNew}, service.client))
      const named = found && creates ? withNewRows(operation, checked, found) : found
      near?.push(...(named?.problems ?? []).filter(({code}) => code === 'SIMILAR_RECORD'))
      const planned = planRows(operation, checked, {sending: toSending(flags), merges, sendUnchanged, named, changes})
      return chosenRecords ? {...planned, found: chosenRecords} : planned
    } catch (error) {
      const known = messagesOf(checked)
      person.tell({...known, warnings: [...known.warnings, ...(near ?? [])]})
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

/** A JSON array with a row in each line: messages name the row by it. */
async function* toBytes(rows: JsonRecord[]): AsyncGenerator<Buffer> {
  yield Buffer.from(`[${rows.map((row) => printJson(row)).join(',\n')}]`)
}
