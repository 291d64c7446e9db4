import {fieldsOf, type ReadId, type WriteId, writeOperation} from '../../../contract/index.js'
import {systemClock} from '../../../core/clock.js'
import {CliFailure} from '../../../core/errors.js'
import {withKnownMachines} from '../../../runs/machines/known-machines.js'
import {planNamed, refuseBlank} from '../../../runs/machines/plan-machines.js'
import {cutSets} from '../../../runs/plan/cut-sets.js'
import type {Plan} from '../../../runs/plan/plan.js'
import {toNumber} from '../../../values/json.js'
import {idText} from '../../../values/record-key.js'
import type {CommandContext} from '../../app/command-context.js'
import {toFilterValues} from '../../read/filter-values.js'
import {toInputOptions} from '../input-options.js'
import {runWrite} from '../run-write.js'
import {sendPlan} from '../send-plan.js'
import type {WriteFlags} from '../write-flags.js'
import {matchEarlierRuns, readPlan, toCutOptions, writeFromFile} from '../write-from-file.js'
import type {WriteSession} from '../write-session.js'

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
  const plan = await (way === 'file' ? fromFile : fromFlags)({operation, read}, asked)
  await runWrite({operation, flags: asked, context}, async (session) => {
    const matched = await matchEarlierRuns(await plan(session), session)
    return sendPlan(await withKnownMachines(matched, read, session.client), session)
  })
}

/** The organization of a flag is a field of every row of a file, in the commands that are proposed as well. */
function withOrganization(operation: WriteId, {organization, set, ...flags}: ProvisionFlags): ProvisionFlags {
  const given = organization === undefined ? [] : [`${organizationField(operation)}=${organization}`]
  return {...flags, set: [...[set ?? []].flat(), ...given]}
}

function organizationField(operation: WriteId): string {
  return writeOperation(operation).sentAs.organizationIds ?? ''
}

type MakePlan = (session: WriteSession) => Promise<Plan>

async function fromFile({operation}: Provisioning, flags: ProvisionFlags): Promise<MakePlan> {
  const input = await toInputOptions(operation, flags)
  return async (session) => refuseBlank(await readPlan({operation, flags, input}, session))
}

async function fromFlags({operation, read}: Provisioning, flags: ProvisionFlags): Promise<MakePlan> {
  const {machine, organization} = flags
  if (organization === undefined) throw noOrganization()
  const {target, resource} = writeOperation(operation)
  const {machineIdentifiers = []} = toFilterValues(read, {machine}, systemClock.now())
  const serials = Array.isArray(machineIdentifiers) ? machineIdentifiers : []
  const {maxLength = Number.POSITIVE_INFINITY} = fieldsOf(resource, 'update')[target] ?? {}
  const long = serials.find((serial) => idText(serial).length > maxLength)
  if (long !== undefined) throw tooLong(idText(long), maxLength)
  const shared = {[organizationField(operation)]: toNumber(organization)}
  const plan = planNamed(
    operation,
    serials.map((serial) => ({[target]: serial, ...shared})),
    0,
  )
  return async () => ({...plan, sets: cutSets(plan.rows, toCutOptions(operation, flags))})
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
