import type {FilterValues} from '../../../client/types.js'
import {
  filterKeysOf,
  filterOf,
  type ReadId,
  readOperation,
  templateFieldOf,
  type WriteId,
  writeOperation,
} from '../../../contract/index.js'
import {systemClock} from '../../../core/clock.js'
import {CliFailure} from '../../../core/errors.js'
import {planTemplates} from '../../../runs/machines/compare-machines.js'
import {type MachinePlan, planMachines, withMachines} from '../../../runs/machines/plan-machines.js'
import {foldIdentifier, indexMachines, readMachines} from '../../../runs/machines/read-machines.js'
import {counted} from '../../../values/counted.js'
import {toNumber} from '../../../values/json.js'
import {idText} from '../../../values/record-key.js'
import type {CommandContext} from '../../app/command-context.js'
import {toFilterValues} from '../../read/filter-values.js'
import {toInputOptions} from '../input-options.js'
import {runWrite} from '../run-write.js'
import {sendPlan} from '../send-plan.js'
import type {SelectionFlags} from '../write-flags.js'
import {matchEarlierRuns, readPlan, toCompareOptions, writeFromFile} from '../write-from-file.js'
import type {WriteSession} from '../write-session.js'

/** The write, and the read that finds its machines. */
type Applying = {operation: WriteId; read: ReadId}

export type TemplateFlags = SelectionFlags & {template?: string | undefined}

/** Applies a template to machines that are named, found by filters, or listed in a file; never to all for want of a choice. */
export async function applyTemplate(
  {operation, read}: Applying,
  flags: TemplateFlags,
  context: CommandContext,
): Promise<void> {
  const way = findWay(read, flags)
  if (way === 'plan') return writeFromFile(operation, flags, context)
  const asked = way === 'file' ? withTemplate(operation, flags) : flags
  const find = await (way === 'file' ? fromFile : byFilters)({operation, read}, asked)
  await runWrite({operation, flags: asked, context}, async (session) => {
    const {plan, machines} = await find(session)
    const matched = await matchEarlierRuns(plan, session)
    return sendPlan(await planTemplates(matched, {...toCompareOptions(session, asked), machines}), session)
  })
}

/** The template of a flag is a field of every row of a file, in the commands that are proposed as well. */
function withTemplate(operation: WriteId, {template, set, ...flags}: TemplateFlags): TemplateFlags {
  const given = template === undefined ? [] : [`${templateFieldOf(writeOperation(operation))}=${template}`]
  return {...flags, set: [...[set ?? []].flat(), ...given]}
}

type Find = (session: WriteSession) => Promise<MachinePlan>

/** The machines of a file. */
async function fromFile({operation, read}: Applying, flags: TemplateFlags): Promise<Find> {
  const input = await toInputOptions(operation, flags)
  return async (session) => withMachines(await readPlan({operation, flags, input}, session), read, session.client)
}

/** The machines that filters find. Throws `invalid` for one that is named and not found. */
async function byFilters({operation, read}: Applying, flags: TemplateFlags): Promise<Find> {
  const {template} = flags
  if (template === undefined) throw noTemplate()
  const filters = toFilterValues(read, flags, systemClock.now())
  const field = templateFieldOf(writeOperation(operation))
  return async ({client, progress}) => {
    progress.update('Reading the machines …')
    const found = await readMachines(client, read, filters)
    progress.pause()
    refuseMissing(filters, indexMachines(found.machines))
    return planMachines(operation, found, {[field]: toNumber(template)})
  }
}

const mostNamed = 20

function refuseMissing(
  {machineIdentifiers: asked, ...others}: FilterValues,
  known: ReadonlyMap<string, unknown>,
): void {
  const missing = (Array.isArray(asked) ? asked : []).filter((one) => !known.has(foldIdentifier(one)))
  if (missing.length === 0) return
  const named = missing.slice(0, mostNamed).map(idText).join(', ')
  const more = missing.length > mostNamed ? ` and ${missing.length - mostNamed} more` : ''
  const where = Object.keys(others).length > 0 ? ' with the other filters' : ''
  throw new CliFailure(
    `--machine: ${counted(missing.length, 'machine')} not found${where} that this login may see: ${named}${more}; nothing was sent.`,
    {code: 'MISSING_RECORD', exit: 'invalid', hints: ['Correct them, or leave them out. See: vendorctl machines list']},
  )
}

type Way = 'file' | 'filter' | 'plan'

/** Exactly one way to say which machines. Throws `usage` otherwise. */
function findWay(read: ReadId, flags: TemplateFlags): Way {
  const filters = filterKeysOf(readOperation(read)).map((key) => filterOf(key).flag)
  const given = filters.some((flag) => flags[flag] !== undefined)
  const isPlan = flags['apply-plan'] !== undefined
  if (isPlan && !given && flags.template === undefined) return 'plan'
  if (!isPlan && given !== (flags.file !== undefined)) return given ? 'filter' : 'file'
  const ways = 'Name them with --machine, find them with --site, --account or --organization, or list them in a --file.'
  throw new CliFailure(
    given || isPlan ? 'Machines are chosen in one way only.' : 'No machines are selected; nothing was sent.',
    {code: given || isPlan ? 'TWO_SELECTIONS' : 'NO_SELECTION', exit: 'usage', hints: [ways]},
  )
}

function noTemplate(): CliFailure {
  return new CliFailure('No template is named; nothing was sent.', {
    code: 'NO_SELECTION',
    exit: 'usage',
    hints: ['Add: --template ID. See them with: vendorctl templates list'],
  })
}
