import {existsSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {type ExitName, exitCodeOf} from '../../contract/index.js'
import type {Clock} from '../../core/clock.js'
import {commandLine} from '../../core/command-line.js'
import {CliFailure, type ErrorEntry, entryOf} from '../../core/errors.js'
import {lockOrFail} from '../../core/lock.js'
import {digestOf} from '../../reports/export/complete-file.js'
import {stateNameOf} from '../../reports/export/export-identity.js'
import type {ExportOutcome} from '../../reports/export/export-types.js'
import {type Manifest, manifestName} from '../../reports/export/manifest.js'
import {checkpointPath, outputLocked} from '../../reports/export/output-lock.js'
import {readSealed} from '../../reports/export/sealed-file.js'
import type {ExportRegister} from '../../reports/register/export-register.js'
import type {Named} from '../../reports/register/named-marks.js'
import type {Delivery, DeliveryState} from '../../reports/register/outstanding-deliveries.js'
import type {DeliverEnd, DeliveryCommand} from './deliver-file.js'
import {findElsewhere, type OtherMachines, tellOthers} from './other-machines.js'
import {removeDelivered} from './remove-delivered.js'

export type DeliveriesOptions = OtherMachines & {
  command: DeliveryCommand
  /** Tries to deliver; without pauses, so once, where a file before it could not be delivered. */
  deliver: (words: [string, ...string[]], isOnce: boolean, isUnchanged: () => Promise<boolean>) => Promise<DeliverEnd>
  /** Files of the name that were delivered so long ago are removed. */
  keepMilliseconds: number | undefined
  register: ExportRegister
  /** The folder of locks. */
  folder: string
  clock: Pick<Clock, 'now'>
  signal: AbortSignal
  messages: {note(text: string): void; tell(text: string | readonly string[]): void}
  caution: (text: string) => void
  /** The lines of an error for people, the first one a sentence. */
  toLines: (exit: 'storage' | 'unavailable', entry: ErrorEntry) => string[]
  /** Takes secrets out of what a command printed. */
  redact: (text: string) => string
}

export type Deliveries = ReturnType<typeof createDeliveries>

/** Files that a run delivered, gave up or removed. */
type Done = {file: string; state: DeliveryState | 'removed'; tries: number}[]

const worst: readonly ExitName[] = ['storage', 'incomplete', 'unavailable']

/**
 * Delivers the files of one command and records it. Throws `locked` where another run delivers the same file, and the
 * reason of the signal when it is stopped.
 */
export function createDeliveries(options: DeliveriesOptions) {
  const {register, owner, messages, clock, toLines, redact} = options
  const done: Done = []
  const errors: ErrorEntry[] = []
  const report = (entry: ErrorEntry, lines: readonly string[] = []) => {
    const [head = '', ...hints] = toLines(entry.exit === exitCodeOf('storage').code ? 'storage' : 'unavailable', entry)
    messages.tell([head, ...lines.map((line) => `  ${line}`), ...hints])
    errors.push(entry)
  }

  const deliverOutstanding = async (delivery: Delivery, {isKnown, isOnce, again}: HandOver) => {
    const {path} = delivery
    let lost = isKnown ? undefined : await findLoss(delivery, options.command)
    const record = async (state: DeliveryState, tries: number, why?: string) => {
      register.recordDelivery(delivery, {state, tries, at: clock.now(), why})
      await tellOthers(options, {path, state})
      done.push({file: path, state, tries})
    }
    const giveUp = async ({state, why}: Loss, tries: number) => {
      await record(state, tries)
      report(describeLost(path, why, owner))
      return undefined
    }
    if (lost && (await isSealed(path, options.folder))) return undefined // this run records what is appended, and delivers it
    if (lost) return giveUp(lost, 0)
    const words = options.command.fill({file: path, manifest: manifestName(path)})
    const end = await options.deliver(words, isOnce, async () => {
      lost = await findLoss(register.findDelivery(path) ?? delivery, options.command) // a later run may have replaced it
      return lost === undefined
    })
    const {isDelivered, tries} = end
    if (lost) return giveUp(lost, tries)
    const why = isDelivered ? undefined : redact([end.why, ...end.last.slice(-1)].join(': '))
    await record(isDelivered ? 'delivered' : 'outstanding', tries, why)
    if (isDelivered) messages.note(`Delivered ${path}${tries > 1 ? ` after ${tries} tries` : ''}.`)
    else if (end.isStopped) throw stopped(path, again, options.signal)
    else report(describeFailed(path, end, {owner, again}), end.last)
    return end
  }

  const deliverLocked = async (path: string, given: HandOver) => {
    const lockPath = join(options.folder, `deliver-${stateNameOf(path)}.lock`)
    const lock = lockOrFail(lockPath, 'The lock of a delivery', (holder) => outputLocked(path, holder, 'delivering'))
    try {
      const delivery = register.findDelivery(path)
      return delivery?.state === 'outstanding' ? await deliverOutstanding(delivery, given) : undefined
    } finally {
      lock.remove()
    }
  }

  return {
    done,
    /** The end of the command where a file was not delivered; with the errors of its export. */
    ending(others: readonly ErrorEntry[] = []): {exit: ExitName; errors: ErrorEntry[]} | undefined {
      const all = [...others, ...errors]
      const exit = worst.find((name) => all.some((entry) => entry.exit === exitCodeOf(name).code))
      return errors.length > 0 && exit ? {exit, errors: all} : undefined
    },
    /** Delivers what earlier runs of the name left. */
    async deliverLeft(): Promise<void> {
      for (const entry of await findElsewhere(options)) report(entry)
      for (const {path} of owner ? register.outstanding(owner) : []) {
        const end = await deliverLocked(path, {isKnown: false, isOnce: errors.length > 0, again: sameAgain})
        if (end && 'isHung' in end) return
      }
    },
    /** Removes what was delivered long ago, where that was asked for. */
    async removeOld(): Promise<void> {
      for await (const file of removeDelivered(options)) done.push({file, state: 'removed', tries: 0})
    },
    /** Delivers the file of an export, unless it is delivered already. */
    async deliverNew({outcome, path: given}: {outcome: ExportOutcome; path: string}): Promise<void> {
      const {kind, manifest} = outcome
      if (kind !== 'written' && kind !== 'complete') return
      const path = resolve(given)
      if (kind === 'complete') register.expectDelivery({path, owner, manifest, at: clock.now()})
      const isKnown = kind === 'complete' || !outcome.wasSealed
      const again = owner || !isMoving(manifest) ? sameAgain : byHand
      const end = await deliverLocked(path, {isKnown, isOnce: false, again})
      if (!end && kind === 'complete') messages.note(`${given} was delivered by an earlier run.`)
    },
  }
}

/** `isKnown`: this run wrote the file, so that it need not be compared. `again`: how to deliver it after a failure. */
type HandOver = {isKnown: boolean; isOnce: boolean; again: string}

const sameAgain = 'Run the same command again: it delivers the file first.'
const byHand = 'Deliver it by hand: the range of this command moves with the clock, so it would read another one.'

function isMoving({range: {asked, askedAs}}: Manifest): boolean {
  return asked.some((edge, place) => edge !== askedAs[place])
}

/** Whether a file is as an unrecorded run of this machine left it. */
async function isSealed(path: string, folder: string): Promise<boolean> {
  const checkpoint = checkpointPath(folder, path)
  const sealed = existsSync(checkpoint) ? readSealed(checkpoint) : undefined
  return sealed !== undefined && sealed.digest === (await digestOf(path))
}

type Loss = {state: 'gone' | 'changed'; why: string}

/** Why a file of an earlier run or try cannot be delivered; undefined where it is unchanged. */
async function findLoss({path, digest}: Delivery, {usesManifest}: DeliveryCommand): Promise<Loss | undefined> {
  const found = await digestOf(path)
  if (found === undefined) return {state: 'gone', why: 'removed'}
  if (found !== digest) return {state: 'changed', why: 'changed'}
  const isThere = !usesManifest || existsSync(manifestName(path))
  return isThere ? undefined : {state: 'gone', why: 'left without its manifest'}
}

function describeLost(path: string, why: string, owner: Named | undefined): ErrorEntry {
  const hints = [
    'If it did not arrive, deliver it by hand, or read its days again into another file.',
    ...(owner ? [`All that was given up: ${commandLine('exports show', [owner.name])}`] : []),
  ]
  const message = `${path} was ${why} before its delivery was recorded; it is given up.`
  return entryOf('OUTPUT_CHANGED', message, {retry: 'safe', hint: hints.join('\n')})
}

function describeFailed(
  path: string,
  {why, tries}: DeliverEnd & {isDelivered: false},
  {owner, again}: {owner: Named | undefined; again: string},
) {
  const recorded = owner ? ` and recorded for --since-last ${owner.name}` : ''
  const count = tries === 1 ? '1 try' : `${tries} tries`
  const message = `${path} is complete${recorded}, but it was not delivered (${count}): ${why}.`
  const hint = owner
    ? `The next run delivers it first; what is outstanding: ${commandLine('exports show', [owner.name])}`
    : again
  return entryOf('DELIVERY_FAILED', message, {retry: 'safe', hint})
}

function stopped(path: string, again: string, {reason}: AbortSignal): unknown {
  if (!(reason instanceof CliFailure)) return reason
  const {message, code, exit, retry} = reason
  return new CliFailure(message, {
    ...{code, exit, retry, cause: reason},
    hints: [`${path} is complete, but not delivered. ${again}`],
  })
}
