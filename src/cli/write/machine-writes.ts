import {
  fieldsOf,
  filterKeysOf,
  filterOf,
  type ReadId,
  readOperation,
  templateFieldOf,
  type WriteId,
  writeOperation,
} from '../../contract/index.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {
  planMachines,
  readMachines,
  refuseBlank,
  refuseUnfound,
  withMachines,
} from '../../runs/machines/plan-machines.js'
import {type Checked, checkedRows, namedRows} from '../../runs/rows/phases.js'
import type {RowSource} from '../../runs/write/write.js'
import {type JsonRecord, toNumber} from '../../values/json.js'
import {idText} from '../../values/record-key.js'
import type {CommandContext} from '../app/command-context.js'
import {toFilterValues} from '../read/filter-values.js'
import {notOneWay} from './chosen-rows.js'
import {fromFile} from './rows-of-file.js'
import {writeRows} from './run-write.js'
import type {SelectionFlags} from './write-flags.js'
import {writeFromFile} from './write-from-file.js'

type MachineWrite = {operation: WriteId; read: ReadId}

export type MachineFlags = SelectionFlags & {
  machine?: string[] | undefined
  template?: string | undefined
  organization?: string | undefined
}

/** Applies a template to machines that are named, found by filters, or listed in a file; never to all for want of a choice. */
export async function applyTemplate(
  {operation, read}: MachineWrite,
  flags: MachineFlags,
  context: CommandContext,
): Promise<void> {
  const filters = filterKeysOf(readOperation(read)).map((key) => filterOf(key).flag)
  await writeMachines(operation, flags, context, {
    ...{flag: 'template', field: templateFieldOf(writeOperation(operation))},
    isNamed: filters.some((flag) => flags[flag] !== undefined),
    ways: 'Name them with --machine, find them with --site, --account or --organization, or list them in a --file.',
    listed: (checked, {service}) => withMachines(checked, read, service.client),
    named: (shared) => byFilters({operation, read}, flags, shared),
  })
}

/** Provisions machines that are named by serial or listed in a file, one request each. */
export async function provision(
  {operation, read}: MachineWrite,
  flags: MachineFlags,
  context: CommandContext,
): Promise<void> {
  await writeMachines(operation, flags, context, {
    ...{flag: 'organization', field: writeOperation(operation).sentAs.organizationIds ?? ''},
    isNamed: flags.machine !== undefined,
    ways: 'Name their PROSE serials with --machine, or list them in a --file with the column prose.',
    listed: refuseBlank,
    named: (shared) => bySerials({operation, read}, flags, shared),
  })
}

type Choice = {
  /** The flag that gives every machine the same value, and the field that it is sent as. */
  flag: 'template' | 'organization'
  field: string
  /** Whether flags say which machines. */
  isNamed: boolean
  /** Ways to name machines, for those who did not. */
  ways: string
  /** The machines of a file, once it is read. */
  listed(checked: Checked, needs: Parameters<RowSource>[0]): Checked | Promise<Checked>
  /** The machines that flags name; each gets the fields of `shared`. */
  named(shared: JsonRecord): RowSource
}

/** Machines of a plan file, of a file or of flags, by what the flags say. */
async function writeMachines(
  operation: WriteId,
  {set, ...flags}: MachineFlags,
  context: CommandContext,
  {flag, field, isNamed, ways, listed, named}: Choice,
): Promise<void> {
  const {[flag]: value, file, 'apply-plan': planPath} = flags
  const isPlan = planPath !== undefined
  if (isPlan && !isNamed && value === undefined) return writeFromFile(operation, {...flags, set}, context)
  if (isPlan || isNamed === (file !== undefined)) throw notOneWay('machines', !isPlan && !isNamed, ways)
  if (isNamed) {
    if (value === undefined)
      throw new CliFailure(`No ${flag} is named; nothing was sent.`, {
        code: 'NO_SELECTION',
        hints: [`Add: --${flag} ID. See them with: ${commandLine(`${flag}s list`)}`],
      })
    return writeRows({operation, flags: {...flags, set}, context}, named({[field]: toNumber(value)}))
  }
  // the value is a field of every row of the file, in the commands that are proposed as well
  const given = value === undefined ? [] : [`${field}=${value}`]
  const asked = {...flags, [flag]: undefined, set: [...[set ?? []].flat(), ...given]}
  const read = await fromFile(operation, asked)
  await writeRows({operation, flags: asked, context}, async (needs) => listed(await read(needs), needs))
}

/** The machines that filters find. Throws `invalid` for one that is named and not found. */
function byFilters({operation, read}: MachineWrite, flags: MachineFlags, shared: JsonRecord): RowSource {
  const filters = toFilterValues(read, flags)
  return async ({service, person}) => {
    person.progress('Reading the machines …')
    const found = await readMachines(service.client, read, filters)
    person.progress(undefined)
    refuseUnfound(filters, found.machines)
    return planMachines(operation, found, shared)
  }
}

/** The machines of serials. Throws `usage` for one that is too long to be one. */
function bySerials({operation, read}: MachineWrite, {machine}: MachineFlags, shared: JsonRecord): RowSource {
  const {target, resource} = writeOperation(operation)
  const {machineIdentifiers = []} = toFilterValues(read, {machine})
  const serials = Array.isArray(machineIdentifiers) ? machineIdentifiers : []
  const {maxLength = Number.POSITIVE_INFINITY} = fieldsOf(resource, 'update')[target] ?? {}
  const long = serials.find((serial) => idText(serial).length > maxLength)
  if (long !== undefined)
    throw new CliFailure(`--machine: longer than the ${maxLength} characters of a PROSE serial: "${idText(long)}"`, {
      code: 'FILTER_VALUE',
    })
  const records = serials.map((serial) => ({[target]: serial, ...shared}))
  return async () => checkedRows(namedRows(operation, records))
}
