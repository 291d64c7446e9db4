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
import {
  foldIdentifier,
  indexMachines,
  planMachines,
  readMachines,
  withMachines,
} from '../../../runs/machines/plan-machines.js'
import type {RowSource} from '../../../runs/write/write.js'
import {counted} from '../../../values/counted.js'
import {toNumber} from '../../../values/json.js'
import {idText} from '../../../values/record-key.js'
import type {CommandContext} from '../../app/command-context.js'
import {toFilterValues} from '../../read/filter-values.js'
import {writeRows} from '../run-write.js'
import type {SelectionFlags} from '../write-flags.js'
import {fromFile, writeFromFile} from '../write-from-file.js'

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
  const rows = await (way === 'file' ? fromList({operation, read}, asked) : byFilters({operation, read}, asked))
  await writeRows({operation, flags: asked, context}, rows)
}

/** The template of a flag is a field of every row of a file, in the commands that are proposed as well. */
function withTemplate(operation: WriteId, {template, set, ...flags}: TemplateFlags): TemplateFlags {
  const given = template === undefined ? [] : [`${templateFieldOf(writeOperation(operation))}=${template}`]
  return {...flags, set: [...[set ?? []].flat(), ...given]}
}

/** The machines of a file. */
async function fromList({operation, read}: Applying, flags: TemplateFlags): Promise<RowSource> {
  const readFile = await fromFile(operation, flags)
  return async (needs) => withMachines(await readFile(needs), read, needs.service.client)
}

/** The machines that filters find. Throws `invalid` for one that is named and not found. */
function byFilters({operation, read}: Applying, flags: TemplateFlags): RowSource {
  const {template} = flags
  if (template === undefined) throw noTemplate()
  const filters = toFilterValues(read, flags, systemClock.now())
  const field = templateFieldOf(writeOperation(operation))
  return async ({service, person}) => {
    person.progress('Reading the machines …')
    const found = await readMachines(service.client, read, filters)
    person.progress(undefined)
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
