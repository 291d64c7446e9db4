import {playExports, playShared} from './acts/exports.js'
import {playFiles} from './acts/files.js'
import {playJobs} from './acts/jobs.js'
import {judgeCount, judgeDisk} from './acts/judges.js'
import {playMachines} from './acts/machines.js'
import {playOldState} from './acts/old-state.js'
import {playQuota} from './acts/quota.js'
import {playSync} from './acts/sync.js'
import {playPublished, playWrites} from './acts/writes.js'
import type {Fixed} from './choices.js'
import {openWorld, type Watched, type Workshop, type World} from './world.js'

/** What can happen in a history, by the names that `--acts` takes, and how many of 25 histories play it. */
export const acts = {
  writes: {play: playWrites, share: 9},
  published: {play: playPublished, share: 2},
  files: {play: playFiles, share: 2},
  exports: {play: playExports, share: 4},
  jobs: {play: playJobs, share: 1},
  sync: {play: playSync, share: 1},
  old: {play: playOldState, share: 2},
  machines: {play: playMachines, share: 2},
  shared: {play: playShared, share: 1},
  quota: {play: playQuota, share: 1},
} as const satisfies Record<string, {play: (world: World) => Promise<void>; share: number}>
const losing = ['kill', 'signal', 'boot', 'disk full', 'disk fails', 'silent', 'slow']
export type ActName = keyof typeof acts
/** One history: a seed and an act; a shorter one of it has only these faults, and other answers to some choices. */
export type Case = {seed: number; act: ActName; only?: readonly string[]; fixed?: Fixed}
export type Played = Awaited<ReturnType<typeof play>>

/** The histories of these seeds; each act is played early, and as often as its share says. */
export function toCases(seeds: readonly number[], names: readonly ActName[]): Case[] {
  const cycle = Array.from({length: 9}, (_, round) => names.filter((name) => acts[name].share > round)).flat()
  return seeds.map((seed) => ({seed, act: cycle[seed % cycle.length] ?? 'writes'}))
}

export async function play(workshop: Workshop, one: Case, watched: Watched = {}) {
  const world = openWorld(workshop, {...one, ...watched})
  const {service, network, wrongs: wrong, faults} = world
  try {
    await acts[one.act].play(world)
    await world.pass(200_000) // whatever is still under way arrives
    world.rules.trouble = 0
    judgeDisk(world)
    await judgeCount(world)
    const isAlone = 'disk full' in faults || 'disk fails' in faults // a ledger that cannot be written is not shared
    if (service.refusedForSpeed > 0 && !isAlone) world.wrong(`${service.refusedForSpeed} requests were too fast`)
    // One a machine, for each token that was refused, and for each that may be lost with a life or waited for in vain.
    const {given, refused} = network.tokens
    const waiting = one.act === 'quota' ? 3 * (faults['stopped'] ?? 0) : 0 // up to three lives wait for a stopped one
    const lost = losing.reduce((sum, kind) => sum + (faults[kind] ?? 0), refused + waiting)
    const each = 1 + (faults['power cut'] ?? 0) // all machines have one disk
    if (given > lost + each * world.hosts.size) world.wrong(`${given} logins where fewer would have done`)
  } catch (error) {
    world.wrong(error instanceof Error ? `${error.stack}` : String(error))
  } finally {
    world.close()
  }
  const {lives, kills, faultIds, choices} = world
  return {case: one, wrong, lives, kills, faults, faultIds: [...faultIds], asked: choices.asked}
}
