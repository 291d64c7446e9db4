import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import type {ExportRegister, Finished} from './export-register.js'
import type {Named, SeenMark, Watermark} from './named-marks.js'
import {isAway} from './shared-lock.js'
import type {SharedMarks} from './shared-marks.js'
import type {SharedMark, Turn} from './shared-turn.js'

type Sharing = {
  shared: SharedMarks
  register: ExportRegister
  onNotice: (text: string) => void
  /** For a list of new or changed records, whose mark can only be set back. */
  isList?: boolean
}

/** The right to write a name; `isCurrent`: whether what this machine left unfinished begins where the shared mark is. */
export type Begun = {turn: Turn; isCurrent: boolean}

/**
 * Takes the right to write a name whose mark all machines share. Throws `locked` while another run reads the name,
 * `storage` where the store is older than what this machine has seen of it, and `invalid` for a mark of this machine
 * that is not shared.
 */
export async function takeTurn(named: Named, {shared, register, onNotice, isList = false}: Sharing): Promise<Begun> {
  const turn = await shared.take(named).catch(async (error: unknown) => {
    if (error instanceof CliFailure && error.exit === 'locked') await lookAt(named, {shared, register})
    throw error
  })
  try {
    const {mark} = turn
    const seen = register.findSeen(named)
    if (seen && isSetBack(mark, seen)) throw setBack(named, {mark, seen, isList})
    const own = register.findWatermark(named)
    if (own && !seen && !mark.value) throw notShared(named, own)
    if (own && mark.value && own.at > mark.value.at) throw twoMarks(named, own, mark)
    if (own && mark.value && !isSame(mark.value, own)) onNotice(describeUnused(named, mark, own))
    register.see(named, mark)
    const begun = seen?.store === mark.store ? seen.begun : undefined
    return {turn, isCurrent: begun === undefined ? mark.version === 0 : begun === mark.version}
  } catch (error) {
    await turn.release()
    throw error
  }
}

/** Marks by name: those that machines share, or those of this machine. */
export type Marks = Pick<ExportRegister, 'findWatermark' | 'knowsName'>

/** Throws `usage` for a name whose mark is shared, where this run shares none. */
export function marksOf(register: ExportRegister, turn: Pick<Turn, 'mark' | 'isKnownName'> | undefined): Marks {
  if (turn) return {findWatermark: () => turn.mark.value, knowsName: () => turn.isKnownName}
  return {
    knowsName: register.knowsName,
    findWatermark(named) {
      const own = register.findWatermark(named)
      if (!own && register.findSeen(named)?.at !== undefined) throw sharedOnly(named)
      return own
    },
  }
}

/** Another run has the name: facts about it then come from the mark that all share. */
async function lookAt(named: Named, {shared, register}: Pick<Sharing, 'shared' | 'register'>): Promise<void> {
  const mark = await shared.read(named).catch(() => undefined)
  const seen = register.findSeen(named)
  if (mark?.value && seen?.store === mark.store && seen.version < mark.version) register.see(named, mark)
}

/**
 * Whether the store has an older version of a mark than this machine has seen, or another one of the same version, which
 * a machine made after the store was restored; of another store, a mark that lies before it.
 */
function isSetBack({store, version, value}: SharedMark, seen: SeenMark): boolean {
  if (value?.at === seen.at) return false
  return store === seen.store ? version <= seen.version : (value?.at ?? '') < (seen.at ?? '')
}

/** The mark is behind: a run would deliver a range again, or go on from one that another machine read twice. */
function setBack(
  {name}: Named,
  {mark: {value, host}, seen, isList}: {mark: SharedMark; seen: SeenMark; isList: boolean},
): CliFailure {
  const {at = 'no time'} = seen
  const reset = (to: string) => commandLine('exports reset', [name], {to})
  const isAhead = value !== undefined && value.at > at
  const twice = isAhead
    ? `${host} has read again what lies before that; look for records that came twice`
    : `records from ${value?.at ?? 'the beginning'} to ${at} would come a second time`
  const skip = isList ? [] : [`Continue where this machine was, so that nothing comes twice: ${reset(at)}`]
  return new CliFailure(
    `The shared store is older than this machine has seen it, as a restored backup is: its mark of --since-last ${name} is ${value?.at ?? 'not set'}. This machine knows ${name} as complete up to ${at}: ${twice}.`,
    {
      code: 'MARK_SET_BACK',
      hints: isAhead
        ? [`Continue where ${host} was: ${reset(value.at)}`, `Read again from where this machine was: ${reset(at)}`]
        : [...skip, `Read that range again, into new files: ${reset(value?.at ?? 'DATE')}`],
    },
  )
}

function notShared({name}: Named, {at}: Watermark): CliFailure {
  return new CliFailure(
    `The mark of --since-last ${name}, complete up to ${at}, is on this machine only, and machines share their marks now; nothing was read.`,
    {code: 'MARK_LOCAL', hints: [`Move it into the shared store: ${commandLine('exports share', [name])}`]},
  )
}

/** Two marks of one name: which of them is right, only a person knows. */
export function twoMarks({name}: Named, own: Watermark, {value, host}: SharedMark): CliFailure {
  const reset = (to = '') => commandLine('exports reset', [name], {to})
  return new CliFailure(
    `--since-last ${name} has two marks: that of this machine is complete up to ${own.at}, and the one in the shared store, of ${host}, up to ${value?.at}; nothing was changed.`,
    {
      code: 'MARK_LOCAL',
      hints: [
        `Continue where ${host} was: ${reset(value?.at)}`,
        ...(own.at === value?.at ? [] : [`Continue where this machine was: ${reset(own.at)}`]),
      ],
    },
  )
}

function sharedOnly({name}: Named): CliFailure {
  return new CliFailure(
    `--since-last ${name}: its mark is in the store that machines share, which is not named here.`,
    {
      code: 'NO_WATERMARK',
      hints: [
        'Name the store: set budget of the profile, or VENDORCTL_BUDGET, as before.',
        `Or give this machine a mark of its own: ${commandLine('exports reset', [name], {to: 'DATE'})}`,
      ],
    },
  )
}

function describeUnused({name}: Named, {value, host}: SharedMark, own: Watermark): string {
  return `warning: The mark that this machine had of --since-last ${name}, complete up to ${own.at}, is not used: all machines share that of ${host}, complete up to ${value?.at}.`
}

export function isSame(one: Watermark, other: Watermark): boolean {
  return one.at === other.at && one.nextStart === other.nextStart && one.manifest === other.manifest
}

/** Coverage of an export without a name; a machine that could not tell the others does so when coverage is asked for. */
export async function shareCovered(
  shared: SharedMarks | undefined,
  {scope, covered}: Pick<Finished, 'scope' | 'covered'>,
  onNotice: (text: string) => void,
): Promise<void> {
  await shared?.cover(scope, covered).catch((error: unknown) => {
    if (!isAway(error)) throw error
    onNotice(`warning: Other machines do not see yet what was read: ${error.message}`)
  })
}
