import {commandLine} from '../../core/command-line.js'
import {CliFailure} from '../../core/errors.js'
import {finishIdOf, type Manifest} from '../../reports/export/manifest.js'
import type {ExportRegister, Finished} from '../../reports/register/export-register.js'
import type {Watermark} from '../../reports/register/marks.js'
import type {Named} from '../../reports/register/named-runs.js'
import {notRecordedYet} from '../../reports/register/shared-failures.js'
import {isAway, type SharedMarks} from '../../reports/register/shared-marks.js'
import type {SharedFinish, SharedMark, Turn} from '../../reports/register/shared-types.js'

type Sharing = {
  shared: SharedMarks
  register: ExportRegister
  onNotice: (text: string) => void
  /** Of what is new or changed, whose mark can only be set back. */
  isList?: boolean
}

/** The right to write a name; `isCurrent`: whether what this machine left unfinished begins where the shared mark is. */
export type Begun = {turn: Turn; isCurrent: boolean}

/**
 * Takes the right to write a name, and brings the mark of this machine in step with the one that all share. A mark that
 * only this machine has becomes the shared one. Throws `locked` while another run reads the name, and `storage` where the
 * store is older than what this machine has seen of it.
 */
export async function takeTurn(named: Named, {shared, register, onNotice, isList = false}: Sharing): Promise<Begun> {
  const turn = await shared.take(named).catch(async (error: unknown) => {
    if (error instanceof CliFailure && error.exit === 'locked') await lookAt(named, {shared, register})
    throw error
  })
  try {
    const {mark} = turn
    const local = register.findWatermark(named.name, named.scope)
    const known = register.findCopy(named)
    const copy = known?.store === mark.store ? known : undefined
    if (local && copy && isSetBack(mark, local, copy)) throw setBack(named, {mark, local, isList})
    const why = local && whyAdopt(named, {mark, local, copy, isElsewhere: known !== undefined && !copy})
    const now = local && why !== undefined ? await turn.put(local) : mark
    if (why !== undefined) onNotice(why)
    else if (local && !isBehind(copy, mark) && !isSame(mark.value, local)) onNotice(describeUnused(named, mark, local))
    register.keepCopy(named, now, now.value)
    const begun = copy?.begun
    const isCurrent =
      begun === undefined ? why !== undefined || mark.version === 0 : begun === (why ? copy?.version : mark.version)
    return {turn, isCurrent}
  } catch (error) {
    await turn.release()
    throw error
  }
}

/** What is known of names, on any machine. */
export function knowing(register: ExportRegister, turn: Turn | undefined) {
  const {findWatermark, knowsName} = register
  return {findWatermark, knowsName: (name: string) => knowsName(name) || turn?.isKnownName === true}
}

/** Another run has the name: what is told of it then comes from the mark that all share. */
async function lookAt(named: Named, {shared, register}: Pick<Sharing, 'shared' | 'register'>): Promise<void> {
  const mark = await shared.read(named).catch(() => undefined)
  const copy = register.findCopy(named)
  if (mark?.value && copy?.store === mark.store && copy.version < mark.version)
    register.keepCopy(named, mark, mark.value)
}

type Marks = {
  mark: SharedMark
  local: Watermark
  copy: {version: number} | undefined
  /** This machine shared the name through another store before. */
  isElsewhere: boolean
}

/** Why the mark of this machine becomes the shared one; undefined where it does not. */
function whyAdopt({name}: Named, {mark, local, copy, isElsewhere}: Marks): string | undefined {
  const upTo = `complete up to ${local.at}`
  if (!mark.value && !isElsewhere && !copy)
    return `warning: The mark of --since-last ${name} on this machine, ${upTo}, is that of all machines from now on.`
  if (!mark.value)
    return `warning: The shared store knows no mark of --since-last ${name}; that of this machine, ${upTo}, is that of all machines from now on. If another machine has read further, its records are read again.`
  const isByHand = local.manifest === ''
  if (local.at < mark.value.at && !isByHand) return undefined // since a backup was restored, another machine has read further
  if (copy?.version === mark.version && !isSame(mark.value, local))
    return `warning: This machine has read --since-last ${name} without the shared store; its mark, ${upTo}, is that of all machines from now on.`
  return undefined
}

function describeUnused({name}: Named, {value, host}: SharedMark, local: Watermark): string {
  return `warning: The mark that this machine had of --since-last ${name}, complete up to ${local.at}, is not used: all machines share that of ${host}, complete up to ${value?.at}.`
}

/**
 * Whether the store has an older version of a mark than this machine knows, or the same version of another one, which
 * another machine made after it was restored. What was set by hand here is not what any run has read.
 */
function isSetBack({version, value}: SharedMark, local: Watermark, copy: {version: number}): boolean {
  if (local.manifest === '') return false
  if (version < copy.version) return value?.at !== local.at
  return version === copy.version && value !== undefined && value.at > local.at
}

/** What a run would do now: deliver a range a second time, or go on from what another machine has read twice. */
function setBack(
  {name}: Named,
  {mark: {value, host}, local, isList}: {mark: SharedMark; local: Watermark; isList: boolean},
): CliFailure {
  const reset = (to: string) => commandLine('exports reset', [name], {to})
  const known = `This machine knows ${name} as complete up to ${local.at}`
  const isAhead = value !== undefined && value.at > local.at
  const twice = isAhead
    ? `${host} has read again what lies before that; look for records that came twice`
    : `records from ${value?.at ?? 'the beginning'} to ${local.at} would come a second time`
  const skip = isList ? [] : [`Continue where this machine was, so that nothing comes twice: ${reset(local.at)}`]
  return new CliFailure(
    `The shared store is older than this machine has seen it, as a restored backup is: its mark of --since-last ${name} is ${value?.at ?? 'not set'}. ${known}: ${twice}.`,
    {
      code: 'MARK_SET_BACK',
      exit: 'storage',
      retry: 'after-fix',
      hints: isAhead
        ? [
            `Continue where ${host} was: ${reset(value.at)}`,
            `Read again from where this machine was: ${reset(local.at)}`,
          ]
        : [...skip, `Read that range again, into new files: ${reset(value?.at ?? local.nextStart)}`],
    },
  )
}

/** Whether the mark of this machine was that of all machines before others moved it. */
function isBehind(copy: {version: number} | undefined, {version}: SharedMark): boolean {
  return copy !== undefined && copy.version < version
}

function isSame(one: Watermark | undefined, other: Watermark): boolean {
  return one?.at === other.at && one.nextStart === other.nextStart && one.manifest === other.manifest
}

/** A finished export of a name as it is announced, with its file, and recorded. */
export function toShared(
  {watermark, last, scope, covered, file, delivery}: Finished,
  manifest: Manifest,
  text = '',
): SharedFinish {
  if (!watermark || !last) throw new TypeError('an export without a name has no mark')
  const {digest, bytes} = manifest
  return {
    ...{id: finishIdOf(manifest), watermark: watermark.value, last, coverage: scope, covered},
    ...(file && {file: {path: file.path, digest, bytes, manifest: text, delivers: delivery?.isAsked === true}}),
  }
}

/** What a machine keeps of a mark that was moved. */
export function toCopied(
  {name, scope}: Named,
  {store, version, value}: SharedMark,
): Pick<Finished, 'watermark' | 'copy'> {
  return {...(value && {watermark: {name, scope, value}}), copy: {store, version}}
}

/** Throws `unavailable` when the store cannot be reached, and `locked` when the name is another run's by now. */
export function announce(named: Named, turn: Turn, finish: SharedFinish): Promise<void> {
  return turn.announce(finish).catch(rethrow(named, finish))
}

export function record(named: Named, turn: Turn, finish: SharedFinish): Promise<SharedMark> {
  return turn.record(finish).catch(rethrow(named, finish))
}

function rethrow({name}: Named, {file}: SharedFinish) {
  return (error: unknown): never => {
    throw isAway(error) ? notRecordedYet(name, file?.path, error) : error
  }
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
