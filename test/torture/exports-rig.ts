import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createRandom, pickInteger, type Random} from '../../src/sandbox/seed/random.js'
import type {Sandbox} from '../../src/sandbox/server.js'
import {compareExport} from './compare-export.js'
import {pickTroubles} from './export-troubles.js'
import {type Kill, runOnce} from './run-once.js'
import {createWholes, type Kind, pickKind, range, startWorld, type Wholes} from './whole-exports.js'

export type ExportTally = {
  kills: number
  /** Files that were finished after kills. */
  files: number
  /** Files with the same lines in another order, whose manifests say that windows were read again. */
  readAgain: number
  /** Kills at a named point; the others came at a random moment. */
  atPoints: number
  /** Requests that the service misbehaved on. */
  faultsFired: number
  /** How runs ended that were not killed. */
  exits: Record<string, number>
  /** What must never be: sentences. */
  wrong: string[]
}

export type ExportRigOptions = {
  kills: number
  seed: number
  /** Files at the same time. */
  workers: number
  batches?: number
  onFile?: (tally: ExportTally) => void
}

/** Steps after which nothing is killed any more, and nothing misbehaves. */
const mostSteps = 40
/** A failure of the service that the same command goes on after. */
const passing = [4, 5, 10, 75]

/**
 * Kills exports of a service that misbehaves, at random moments and at named points, gives the same command again until
 * it is done, and compares every byte with the file of a service that never did, read by one page at a time.
 */
export async function tortureExports(options: ExportRigOptions): Promise<ExportTally> {
  const {kills, seed, workers, batches = 500} = options
  const folder = mkdtempSync(join(tmpdir(), 'vendorctl-exports-'))
  const tally: ExportTally = {kills: 0, files: 0, readAgain: 0, atPoints: 0, faultsFired: 0, exits: {}, wrong: []}
  const wholes = await createWholes(join(folder, 'whole'), {batches, seed})
  const work = async (worker: number) => {
    const sandbox = await startWorld({batches, seed})
    try {
      for (let number = worker; tally.kills < kills; number += workers) {
        await playFile({sandbox, folder, wholes, tally}, number, createRandom(seed * 100_003 + number))
        options.onFile?.(tally)
      }
    } finally {
      await sandbox.close()
    }
  }

  try {
    await Promise.all(Array.from({length: workers}, (_, worker) => work(worker)))
    return tally
  } finally {
    await wholes.close()
    rmSync(folder, {recursive: true, force: true})
  }
}

type Place = {sandbox: Sandbox; folder: string; wholes: Wholes; tally: ExportTally}

async function playFile(place: Place, number: number, random: Random): Promise<void> {
  const {sandbox, folder, wholes, tally} = place
  const kind = pickKind(number, random)
  const home = mkdtempSync(join(folder, 'file-'))
  const words = [
    ...['reports', 'transactions', '--start', range.start, '--end', range.end, '--output-file', join(home, kind.name)],
    ...[...kind.words, '--pages-in-flight', String(1 + (number % 8))],
  ]
  const troubles = pickTroubles(random, kind)
  const label = `file ${number}, ${kind.name} ${words.join(' ')} with ${troubles.join(' ') || 'no faults'}`
  sandbox.faults.set(troubles, number)
  if (await goOn(place, {home, kind, words, label}, random)) {
    tally.files++
    const whole = await wholes.digestsOf(kind)
    if (compareExport({home, name: kind.name, label, whole}, tally.wrong).wasReadAgain) tally.readAgain++
  }

  rmSync(home, {recursive: true, force: true})
}

type Going = {home: string; kind: Kind; words: readonly string[]; label: string}

/** The same command again and again, killed or failed, until it is done; false when it never is. */
async function goOn({sandbox, tally}: Place, {home, kind, words, label}: Going, random: Random): Promise<boolean> {
  for (let step = 0; step < mostSteps + 3; step++) {
    const isOver = step >= mostSteps
    if (step === mostSteps) countFired(sandbox, tally)
    const kill = isOver ? undefined : pickKill(random, kind)
    const ran = await runOnce(sandbox, words, home, kill)
    if (ran.signal === 'SIGKILL') {
      tally.kills++
      if (kill && 'point' in kill) tally.atPoints++
      continue
    }

    tally.exits[String(ran.exitCode)] = (tally.exits[String(ran.exitCode)] ?? 0) + 1
    if (ran.exitCode === 0) {
      countFired(sandbox, tally)
      return true
    }

    if (!passing.includes(ran.exitCode ?? -1) || isOver) {
      tally.wrong.push(`${label}: exit ${ran.exitCode} ${ran.signal}: ${ran.stderr}`)
      return false
    }
  }

  tally.wrong.push(`${label}: no end after ${mostSteps} steps`)
  return false
}

function countFired({faults}: Sandbox, tally: ExportTally): void {
  tally.faultsFired += faults.list().reduce((sum, {fired}) => sum + fired, 0)
  faults.clear()
}

function pickKill(random: Random, {pages}: Kind): Kill {
  if (pickInteger(random, 0, 3) > 0) return {point: pickInteger(random, 1, 30 + pages * 10)}
  return {milliseconds: pickInteger(random, 150, 450 + pages * 12)}
}
