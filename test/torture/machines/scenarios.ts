import {setTimeout as wait} from 'node:timers/promises'
import {pickInteger, type Random} from '../../../src/sandbox/seed/random.js'
import {createWorld, type Verdict, type World} from './world.js'

export type Limits = {
  /** Of the ideal, and of its fair share for each machine. */
  leastOfIdeal?: number
  leastOfShare?: number
  mostTrips?: number
  longestMilliseconds?: number
}

export type Scenario = {
  name: string
  limits: Limits
  play: (world: World, size: Size) => Promise<void>
}

export type Size = {machines: number; seconds: number; kills: number; random: Random}

const second = 1_000
/** A machine in a queue of eight, or one that heals, and what a busy computer adds. */
const longestMilliseconds = 5_000

/**
 * What real processes and a real server show: the rate, SIGKILL, SIGSTOP and a store that is away. Visitors, clocks that
 * lie, partitions and answers that are lost are played by quota/fleet.test.ts. The numbers are those that the shared budget
 * promises; see src/quota/README.md.
 */
export const scenarios: readonly Scenario[] = [
  {
    name: 'steady',
    limits: {leastOfIdeal: 0.95, leastOfShare: 0.7, mostTrips: 0.1, longestMilliseconds},
    async play(world, {machines, seconds}) {
      await addMany(world, machines, 3)
      await wait(seconds * second)
    },
  },
  {
    name: 'frozen',
    limits: {},
    async play(world, {machines, seconds, random}) {
      await addMany(world, machines, 12)
      await during(seconds, 3, random, async () => {
        const some = world.machines.filter(() => random() < 0.7)
        for (const machine of some) machine.pause()
        await wait(pickInteger(random, 1_500, 20_000))
        for (const machine of some) machine.resume()
      })
    },
  },
  {
    name: 'kills',
    limits: {},
    async play(world, {machines, kills, random}) {
      let left = kills
      const live = async () => {
        while (left > 0) {
          left -= 1
          const machine = await world.add({parallel: pickInteger(random, 1, 4)})
          await wait(pickInteger(random, 50, 4_000))
          if (random() < 0.3) await Promise.all(machine.end())
          machine.kill()
        }
      }
      await Promise.all(Array.from({length: machines}, live))
    },
  },
  {
    name: 'stopped',
    limits: {longestMilliseconds},
    play: (world, size) =>
      withoutStore(world, size, async () => {
        await world.postgres.stop()
        await wait(10 * second)
        await expectNoBeginning(world)
        await wait(10 * second)
        await world.postgres.start()
      }),
  },
  {
    name: 'killed',
    limits: {longestMilliseconds},
    play: (world, size) =>
      withoutStore(world, size, async () => {
        for (let time = 0; time < 3; time++) {
          await world.postgres.kill()
          await wait(pickInteger(size.random, 100, 6_000))
          await world.postgres.start()
          await wait(pickInteger(size.random, 100, 4_000))
        }
      }),
  },
]

export async function playScenario({play}: Scenario, size: Size): Promise<Verdict> {
  const world = await createWorld()
  await play(world, size)
  return world.end()
}

async function addMany(world: World, count: number, parallel: number): Promise<void> {
  for (let number = 0; number < count; number++) await world.add({parallel})
  await Promise.all(world.machines.map(({ready}) => ready))
}

/** Does something again and again, with pauses of so many seconds on average. */
async function during(seconds: number, pauseSeconds: number, random: Random, work: () => Promise<void>) {
  const until = performance.now() + seconds * second
  while (performance.now() < until) {
    await wait(random() * 2 * pauseSeconds * second)
    await work()
  }
}

/** Machines at work before, during and after it. */
async function withoutStore(world: World, {machines, seconds}: Size, work: () => Promise<void>): Promise<void> {
  await addMany(world, machines, 3)
  await wait((seconds / 4) * second)
  await work()
  await wait((seconds / 4) * second)
}

/** A machine that has no share yet says which store it cannot reach, and does not begin. */
async function expectNoBeginning(world: World, mostSeconds = 5): Promise<void> {
  const machine = await world.add({processes: 0})
  const started = performance.now()
  const {exitCode, stdout, stderr} = await machine.run(['organizations', 'list'])
  const seconds = (performance.now() - started) / second
  const password = decodeURIComponent(new URL(world.database).password)
  if (exitCode !== 75) throw new Error(`Without a store and a share: exit ${exitCode}, not 75:\n${stderr}`)
  if (seconds > mostSeconds) throw new Error(`Without a store: ${seconds.toFixed(1)} s until it said so`)
  if (`${stdout}${stderr}`.includes(password)) throw new Error(`The password is shown:\n${stderr}`)
}
