import {fieldsOf, type ReadId, type WriteId, writeOperation} from '../../../contract/index.js'
import {systemClock} from '../../../core/clock.js'
import {CliFailure} from '../../../core/errors.js'
import {refuseBlank} from '../../../runs/machines/plan-machines.js'
import {checkedRows, namedRows} from '../../../runs/rows/phases.js'
import type {RowSource} from '../../../runs/write/write.js'
import {toNumber} from '../../../values/json.js'
import {idText} from '../../../values/record-key.js'
import type {CommandContext} from '../../app/command-context.js'
import {toFilterValues} from '../../read/filter-values.js'
import {writeRows} from '../run-write.js'
import type {WriteFlags} from '../write-flags.js'
import {fromFile, writeFromFile} from '../write-from-file.js'

/** The write, and the read that shows what is known of its machines. */
type Provisioning = {operation: WriteId; read: ReadId}

export type ProvisionFlags = WriteFlags & {machine?: string[] | undefined; organization?: string | undefined}

/** Provisions machines that are named by serial or listed in a file, one request each. */
export async function provision(
  {operation, read}: Provisioning,
  flags: ProvisionFlags,
  context: CommandContext,
): Promise<void> {
  const way = findWay(flags)
  if (way === 'plan') return writeFromFile(operation, flags, context)
  const asked = way === 'file' ? withOrganization(operation, flags) : flags
  const rows = await (way === 'file' ? fromList(operation, asked) : fromFlags({operation, read}, asked))
  await writeRows({operation, flags: asked, context}, rows)
}

/** The organization of a flag is a field of every row of a file, in the commands that are proposed as well. */
function withOrganization(operation: WriteId, {organization, set, ...flags}: ProvisionFlags): ProvisionFlags {
  const given = organization === undefined ? [] : [`${organizationField(operation)}=${organization}`]
  return {...flags, set: [...[set ?? []].flat(), ...given]}
}

function organizationField(operation: WriteId): string {
  return writeOperation(operation).sentAs.organizationIds ?? ''
}

async function fromList(operation: WriteId, flags: ProvisionFlags): Promise<RowSource> {
  const read = await fromFile(operation, flags)
  return async (needs) => refuseBlank(await read(needs))
}

function fromFlags({operation, read}: Provisioning, flags: ProvisionFlags): RowSource {
  const {machine, organization} = flags
  if (organization === undefined) throw noOrganization()
  const {target, resource} = writeOperation(operation)
  const {machineIdentifiers = []} = toFilterValues(read, {machine}, systemClock.now())
  const serials = Array.isArray(machineIdentifiers) ? machineIdentifiers : []
  const {maxLength = Number.POSITIVE_INFINITY} = fieldsOf(resource, 'update')[target] ?? {}
  const long = serials.find((serial) => idText(serial).length > maxLength)
  if (long !== undefined) throw tooLong(idText(long), maxLength)
  const shared = {[organizationField(operation)]: toNumber(organization)}
  const records = serials.map((serial) => ({[target]: serial, ...shared}))
  return async () => checkedRows(namedRows(operation, records))
}

type Way = 'file' | 'named' | 'plan'

/** Exactly one way to say which machines. Throws `usage` otherwise. */
function findWay({file, machine, organization, 'apply-plan': planPath}: ProvisionFlags): Way {
  const isPlan = planPath !== undefined
  const isNamed = machine !== undefined
  if (isPlan && !isNamed && organization === undefined) return 'plan'
  if (!isPlan && isNamed !== (file !== undefined)) return isNamed ? 'named' : 'file'
  const isNone = !isPlan && !isNamed
  throw new CliFailure(
    isNone ? 'No machines are selected; nothing was sent.' : 'Machines are chosen in one way only.',
    {
      code: isNone ? 'NO_SELECTION' : 'TWO_SELECTIONS',
      exit: 'usage',
      hints: ['Name their PROSE serials with --machine, or list them in a --file with the column prose.'],
    },
  )
}

function noOrganization(): CliFailure {
  return new CliFailure('No organization is named; nothing was sent.', {
    code: 'NO_SELECTION',
    exit: 'usage',
    hints: ['Add: --organization ID. See them with: vendorctl organizations list'],
  })
}

function tooLong(serial: string, most: number): CliFailure {
  return new CliFailure(`--machine: longer than the ${most} characters of a PROSE serial: "${serial}"`, {
    code: 'FILTER_VALUE',
    exit: 'usage',
  })
}
