import {Args, Flags} from '@oclif/core'
import type {FlagInput} from '@oclif/core/interfaces'
import {limits, type ReadId, readOperation, type Write, type WriteId, writeOperation} from '../../contract/index.js'
import {type DiffFormat, diffFormats} from '../../formats/names.js'
import {
  allowClampFlag,
  clientFlags,
  environmentName as env,
  type FlagValues,
  type globalFlags,
  grouped,
  parseOutput,
  repeatable,
  resultFlags,
  untilQuotaFlag,
  whereFlag,
} from '../app/flags.js'
import {FlagValueError} from '../app/usage-error.js'
import {metricsFlags, notifyFlags} from '../jobs/jobs-flags.js'
import {filterFlags} from '../read/filter-flags.js'
import {inputFlags, matchFlag} from './input-flags.js'
import {freshFlag, planFlags, sendingFlags, settleFlag} from './sending-flags.js'

const fileFlag = {
  char: 'f',
  env: env('file'),
  helpGroup: 'INPUT',
  helpValue: 'PATH',
  description: 'CSV, TSV, JSON, NDJSON or xlsx file; - is standard input.',
} as const

/** Flags of every bulk write, whatever its records come from. */
export const sharedWriteFlags = grouped('SENDING', {
  'set-size': Flags.integer({
    min: 1,
    default: limits.defaultSetSize,
    helpValue: 'N',
    description: 'Records per set; a set is one request, applied completely or not at all.',
  }),
  atomic: Flags.boolean({description: 'Send all rows in one set, or nothing.'}),
  ...sendingFlags,
  'max-records': Flags.integer({
    min: 1,
    helpValue: 'N',
    description: 'Send nothing if there are more records than this (exit 8).',
  }),
  'dry-run': Flags.boolean({char: 'n', helpGroup: 'DRY RUN', description: 'Check and show the plan; send no write.'}),
  'detailed-exitcode': Flags.boolean({
    dependsOn: ['dry-run'],
    helpGroup: 'DRY RUN',
    description: 'With --dry-run: exit 11 if there are changes.',
  }),
  output: Flags.custom<DiffFormat>({
    char: 'o',
    helpGroup: 'DRY RUN',
    helpValue: diffFormats.join('|'),
    description: 'Format of all changes for --dry-run; on a terminal it shows the first as a table.',
    parse: parseOutput(diffFormats),
  })(),
  yes: Flags.boolean({char: 'y', description: 'Skip the confirmation; required where nobody can be asked.'}),
  confirm: Flags.string({helpValue: 'PROFILE', description: 'Confirm a write to this protected profile.'}),
  'until-quota': untilQuotaFlag,
  fresh: freshFlag,
  settle: settleFlag,
  ...metricsFlags,
  ...notifyFlags,
  ...clientFlags,
})

export const confirmCount = Flags.integer({
  env: env('confirm-count'),
  min: 0,
  helpGroup: 'SENDING',
  helpValue: 'N',
  description: 'Confirm that exactly N records are deleted; --yes does not.',
})

const updateFlags = grouped('SENDING', {
  match: Flags.string({...matchFlag, dependsOn: ['file']}),
  'send-unchanged': Flags.boolean({description: 'Also send rows that change nothing.'}),
  replace: Flags.boolean({description: 'Send exactly the file: fields that it leaves out become null.'}),
})

const skipAppliedFlag = Flags.boolean({
  env: env('skip-applied'),
  exclusive: ['fresh'],
  helpGroup: 'SENDING',
  description: 'Leave out rows that runs of the last 24 hours applied.',
})

/** Input flags of a write that names records and sends no other field. */
const {set: _set, ...withoutSet} = inputFlags

/** Flags of a write that changes numbers of the current records. */
const changeFlags = grouped('INPUT', {
  change: Flags.string({
    ...repeatable,
    exclusive: ['replace'],
    helpValue: 'FIELD=+5%|-0.10|=2.50',
    description:
      'Change a number of each record: by a percentage (rounded to 0.01, or to --round), by a difference, or to a value; repeatable.',
  }),
  round: Flags.string({
    dependsOn: ['change'],
    helpValue: '0.05',
    description: 'Round what --change makes to the nearest such step; halves away from zero.',
  }),
})

/** Flags of a bulk write from a file, by the contract of its operation. */
export function writeFlags(id: WriteId) {
  const {body, merge, deletes, totals, probe, identity, difference} = writeOperation(id)
  const repeats = totals !== null || difference !== null || (body === 'create' && identity.length === 0)
  const {'send-unchanged': sendUnchanged, replace, match} = updateFlags
  const list = listOf(writeOperation(id))
  const isChosen = list !== undefined || body === 'create'
  return {
    file: Flags.string(isChosen ? fileFlag : {...fileFlag, atLeastOne: ['file', 'apply-plan']}),
    ...(list && {
      ...withoutVariables(filterFlags(list, notChoosing)),
      ...narrowingFlags,
      ...(readOperation(list).range && {'allow-clamp': allowClampFlag}),
    }),
    ...(body === 'delete' ? withoutSet : inputFlags),
    ...sharedWriteFlags,
    ...planFlags,
    ...((body === 'update' || body === 'delete') &&
      probe.kind !== 'current' && {match: list ? Flags.string(matchFlag) : match}),
    ...(body === 'update' && {'send-unchanged': sendUnchanged}),
    ...(deletes !== 'none' && {'confirm-count': confirmCount}),
    ...(merge === 'full-replace' && {replace}),
    ...(totals !== null && changeFlags),
    ...(repeats && {'skip-applied': skipAppliedFlag}),
  }
}

/** Filters of a list that are no choice of the records of a write. */
export const notChoosing = ['includeDeleted'] as const

/** The list that shows the records of a write, where a row need name nothing but the id. */
export function listOf({body, identity, target, probe}: Write): ReadId | undefined {
  const isById = identity.length === 1 && identity[0] === target
  return isById && (body === 'update' || body === 'delete') && 'read' in probe ? probe.read : undefined
}

/** Flags without environment variables: one that was set for a list must not choose the records of a write. */
function withoutVariables<Input extends FlagInput>(flags: Input): Input {
  const without = Object.entries(flags).map(([name, {env: _, ...flag}]) => [name, flag])
  return Object.fromEntries(without) as Input
}

const narrowingFlags = {
  ...withoutVariables({where: Flags.string({...whereFlag, helpGroup: 'FILTER'})}),
  all: Flags.boolean({helpGroup: 'FILTER', description: 'Take all records, where no filter narrows them.'}),
}

/** Ids in place of a file. */
export const chosenArgs = {
  ids: Args.string({
    ignoreStdin: true,
    multiple: true,
    description: 'Ids of the records, or their names with --match.',
  }),
}

/** Flags of a write that changes the records of a file that exist, and makes the others. */
export const applyFlags = {
  file: Flags.string({...fileFlag, atLeastOne: ['file', 'apply-plan']}),
  ...inputFlags,
  match: Flags.string({
    ...matchFlag,
    description: 'Find the record of a row by these columns; by default by what names a record.',
  }),
  ...sharedWriteFlags,
  ...planFlags,
  'send-unchanged': updateFlags['send-unchanged'],
  ...grouped('SENDING', {
    'no-create': Flags.boolean({description: 'Send nothing if a row would make a new record (exit 3).'}),
    'no-update': Flags.boolean({description: 'Send nothing if a row would change a record (exit 3).'}),
    'allow-similar': Flags.boolean({description: 'Also make records whose names are nearly those of existing ones.'}),
  }),
}

export type ApplyFlags = FlagValues<typeof applyFlags & typeof globalFlags>

/** Flags of a write whose records come from a file, from a list of ids, or from a search by `read`. */
export const selectionFlags = (read: ReadId) => ({
  file: Flags.string(fileFlag),
  ...withoutSet,
  match: Flags.string({...matchFlag, dependsOn: ['file']}),
  ...filterFlags(read),
  ...narrowingFlags,
  'allow-clamp': allowClampFlag,
  'fail-on-empty': resultFlags['fail-on-empty'],
  ...sharedWriteFlags,
  ...planFlags,
})

type Others = {'confirm-count': typeof confirmCount; 'skip-applied': typeof skipAppliedFlag}

type Known = typeof inputFlags &
  typeof sharedWriteFlags &
  typeof planFlags &
  typeof updateFlags &
  typeof changeFlags &
  Others &
  typeof globalFlags

export type WriteFlags = FlagValues<Known & Pick<typeof resultFlags, 'fail-on-empty'>> & {file?: string | undefined}

/** The values of the flags of a write whose records may also be named or searched for. */
export type SelectionFlags = WriteFlags & Readonly<Record<string, unknown>> & {'allow-clamp'?: boolean | undefined}

const shared = {file: Flags.string(fileFlag), ...inputFlags, ...sharedWriteFlags, ...planFlags}

/** Flags of a write that applies one template to machines, which are named, found by `read`, or listed in a file. */
export const templateFlags = (read: ReadId) => ({
  template: oneId('template', 'Template to apply; exactly one.'),
  ...filterFlags(read, notChoosing),
  ...shared,
  'send-unchanged': updateFlags['send-unchanged'],
  'fail-on-empty': resultFlags['fail-on-empty'],
})

/** Flags of a write to machines that this login may not see yet: by serial, or from a file. */
export const provisionFlags = {
  organization: oneId('organization', 'Organization that gets the machines; exactly one.', 'org'),
  machine: Flags.string({
    env: env('machine'),
    ...repeatable,
    helpGroup: 'INPUT',
    helpValue: 'A,B|@FILE',
    description: 'These machines, by PROSE serial.',
  }),
  ...shared,
}

function oneId(name: string, description: string, alias?: string) {
  return Flags.string({
    env: env(name),
    helpGroup: 'INPUT',
    helpValue: 'ID',
    description,
    ...(alias && {aliases: [alias]}),
    parse: async (text) => {
      if (/^[1-9]\d*$/.test(text.trim())) return text.trim()
      throw new FlagValueError(`--${name} takes exactly one id: "${text}".`)
    },
  })
}
