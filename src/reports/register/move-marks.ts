import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {dropUnfinished} from '../export/output-lock.js'
import type {ExportRegister} from './export-register.js'
import type {NamedExport} from './list-named.js'
import type {Named, NamedFacts, Watermark} from './named-marks.js'
import {lockedElsewhere} from './shared-lock.js'
import type {SharedMarks, WaitingElsewhere} from './shared-marks.js'
import type {SharedMark, Turn} from './shared-turn.js'
import {lockName} from './since-last.js'
import {isSame, twoMarks} from './take-turn.js'

type Moving = {
  register: ExportRegister
  /** The folder of checkpoints and locks. */
  folder: string
  shared: SharedMarks | undefined
}

/** Throws what would keep a reset from being made. `run`: the command that runs the name again. */
export function refuseReset(named: NamedExport, to: string, {folder, run}: {folder: string; run: string}): void {
  const {facts, mark, state, key, holder} = named
  if (facts.isList && (!mark || to > mark.at)) throw onlyBack(named)
  if (state === 'running' && key !== undefined) throw lockedElsewhere(named, holder)
  if (state === 'running') lockName(folder, named).remove() // throws, naming the process
  refuseUnrecorded(named, run)
}

/** Throws where a file of a name was read completely and is not recorded: the next run would read its rows again. */
export function refuseUnrecorded({file}: Pick<NamedExport, 'file'>, run: string): void {
  if (file?.isSealed) throw notRecorded(file.path, run)
}

/**
 * Sets the mark of a name by hand, for all machines where they share it, and drops unfinished work. Returns the files
 * that others have not delivered and that nobody waits for any more. `check` may throw once no other run has the name.
 */
export async function resetNamed(
  named: NamedExport,
  to: string,
  {register, folder, shared}: Moving,
  check: () => Promise<void>,
): Promise<WaitingElsewhere[]> {
  const {name, scope, file} = named
  const lock = lockName(folder, named)
  try {
    const turn = await shared?.take(named)
    await check()
    const own = register.findWatermark(named)
    const mark = turn ? turn.mark.value : named.mark && own
    const value = turn && own?.at === to ? own : resetMark(named, mark, to) // of two marks, that of this machine
    const seen = register.findSeen(named)
    const moved = await turn?.put(value, seen?.store === turn.mark.store ? seen.version : 0)
    const waiting = (moved && (await shared?.waitingElsewhere(named))) ?? []
    if (moved) await shared?.giveUpElsewhere(named)
    if (file) dropUnfinished(folder, file.path)
    register.reset({name, scope, value})
    if (moved) register.see(named, moved)
    return waiting
  } finally {
    lock.remove()
  }
}

/** Moves the mark of a name from this machine into the store that machines share. Throws `locked` while a run has it. */
export async function shareNamed(
  named: NamedExport,
  {register, folder, shared}: Moving & {shared: SharedMarks},
): Promise<SharedMark> {
  const {facts} = named
  const lock = lockName(folder, named)
  try {
    const turn = await shared.take(named)
    const moved = await shareMark(named, turn, register)
    if (isKnown(facts)) await turn.describe(facts)
    await turn.release()
    return moved
  } finally {
    lock.remove()
  }
}

/** Names that only an early version of this program has used have fewer facts. */
function isKnown(facts: Partial<NamedFacts>): facts is NamedFacts {
  return facts.command !== undefined && facts.filters !== undefined
}

function resetMark({facts}: NamedExport, mark: Watermark | undefined, to: string): Watermark {
  return facts.isList && mark ? toResetList(mark, to) : toResetMark(mark, to)
}

/**
 * A mark that was set by hand. Back: nothing from there on counts as read. Forward: what was read beyond the old mark
 * is still known, so that it is not written twice.
 */
export function toResetMark(mark: Watermark | undefined, to: string): Watermark {
  const isForward = mark !== undefined && to > mark.at
  return {at: to, nextStart: to, keys: isForward ? mark.keys : [], manifest: ''}
}

/**
 * The same for a list of new or changed records: those that began from there on count as never listed; for those that
 * began before, the last listing is kept, so that their changes are still seen.
 */
export function toResetList(mark: Watermark, to: string): Watermark {
  const nextStart = mark.nextStart < to ? mark.nextStart : to
  return {at: to, nextStart, keys: mark.keys.filter((key) => key < to), manifest: ''}
}

/**
 * Moves the mark of this machine into the shared store, once. Whoever was killed in between repeats it. Throws `invalid`
 * where the store has a mark of the name.
 */
export async function shareMark(named: Named, turn: Turn, register: ExportRegister): Promise<SharedMark> {
  const own = register.findWatermark(named)
  const {mark} = turn
  if (!own) throw nothingToShare(named)
  if (mark.value && !isSame(mark.value, own)) throw twoMarks(named, own, mark)
  const moved = mark.value ? mark : await turn.put(own)
  register.see(named, moved)
  register.beginFrom(named, moved.version) // what is unfinished began from this very mark
  return moved
}

function nothingToShare({name}: Named): CliFailure {
  return new CliFailure(`This machine has no mark of --since-last ${name} of its own.`, {
    code: 'NO_WATERMARK',
    hints: [`See where it is: ${commandLine('exports show', [name])}`],
  })
}

/** The export to a file was read completely, and only its mark or its name is missing: the next run would undo a reset. */
function notRecorded(path: string, run: string): CliFailure {
  return new CliFailure(`An earlier run has read all of ${path} and was stopped before it recorded that.`, {
    code: 'RESET_REFUSED',
    hints: [`Finish that run first: ${run}`],
  })
}

/** Records that a list left out once cannot be told from those it will leave out. */
function onlyBack({name, mark}: NamedExport): CliFailure {
  return new CliFailure(`The mark of ${name} is ${mark?.at ?? 'not set'}; that of a list can only be set back.`, {
    code: 'RESET_DATE',
    hints: ['To skip what is new until now, use another name with --start now.'],
  })
}
