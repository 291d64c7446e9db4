import {setTimeout as wait} from 'node:timers/promises'
import {pickInteger, type Random} from '../../../src/sandbox/seed/random.js'
import type {Machine} from './machine.js'
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

/** The numbers are those that the shared budget promises; see src/quota/README.md. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'steady',
    limits: {leastOfIdeal: 0.95, leastOfShare: 0.7, mostTrips: 0.1, longestMilliseconds},
    async play(world, {machines, seconds}) {
      await addMany(world, machines, () => ({parallel: 3}))
      await wait(seconds * second)
    },
  },
  {
    name: 'mixed',
    limits: {},
    async play(world, {machines, seconds, random}) {
      const kinds = [
        {parallel: 12, every: 4_000},
        {parallel: 3},
        {parallel: 8, rest: 6_000},
        {processes: 2, parallel: 6, every: 4_000},
      ]
      await addMany(world, machines, (number) => kinds[number % kinds.length] ?? {})
      await during(seconds, 4, random, async () => {
        world.judge.standStill(pickInteger(random, 300, 3_000))
      })
    },
  },
  {
    name: 'frozen',
    limits: {},
    async play(world, {machines, seconds, random}) {
      await addMany(world, machines, () => ({parallel: 12}))
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
  {
    name: 'paused',
    limits: {longestMilliseconds},
    play: (world, size) =>
      withoutStore(world, size, async () => {
        world.postgres.pause()
        await wait(10 * second)
        world.postgres.resume()
      }),
  },
  {
    name: 'cut',
    limits: {longestMilliseconds},
    async play(world, {machines, seconds, random}) {
      await addMany(world, machines, () => ({parallel: 3}))
      await during(seconds, 0.4, random, async () => {
        world.machines[pickInteger(random, 0, machines - 1)]?.door.cutNextAnswer()
      })
    },
  },
  {
    name: 'partition',
    limits: {longestMilliseconds},
    async play(world, {machines, seconds}) {
      await addMany(world, machines, (number) => (number === 1 ? {parallel: 3, rest: 8_000} : {parallel: 3}))
      const [first, second_] = world.machines
      await wait((seconds / 4) * second)
      first?.door.shut()
      second_?.door.silence()
      await wait((seconds / 2) * second)
      first?.door.open()
      second_?.door.open()
      await wait((seconds / 4) * second)
    },
  },
  {
    name: 'clocks',
    limits: {longestMilliseconds},
    async play(world, {machines, seconds, random}) {
      await addMany(world, machines, (number) => ({parallel: 3, skewHours: [0, 5, -5][number % 3] ?? 0}))
      for (const hours of [1, -1, 0, 1]) {
        await wait((seconds / 5) * second)
        await world.skewStore(hours)
        await Promise.all((await addMany(world, 2, () => ({parallel: 4}))).map(({ready}) => ready))
        await wait(pickInteger(random, 100, 1_000))
      }
      await wait((seconds / 5) * second)
    },
  },
  {
    name: 'visitors',
    limits: {},
    async play(world, {machines, seconds, random}) {
      const until = performance.now() + seconds * second
      const visit = async () => {
        while (performance.now() < until) {
          const machine = await world.add({parallel: 2, requests: pickInteger(random, 1, 40)})
          await Promise.all(machine.end())
          await wait(pickInteger(random, 0, 1_500))
          if (random() < 0.1) await world.skewStore(pickInteger(random, -1, 1))
        }
      }
      await Promise.all(Array.from({length: Math.ceil(machines / 2)}, visit))
    },
  },
]

export async function playScenario({play}: Scenario, size: Size): Promise<Verdict> {
  const world = await createWorld()
  await play(world, size)
  return world.end()
}

async function addMany(world: World, count: number, optionsOf: (number: number) => Parameters<World['add']>[0]) {
  const added: Machine[] = []
  for (let number = 0; number < count; number++) added.push(await world.add(optionsOf(number)))
  await Promise.all(added.map(({ready}) => ready))
  return added
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
  await addMany(world, machines, () => ({parallel: 3}))
  await wait((seconds / 4) * second)
  await work()
  await wait((seconds / 4) * second)
}

/** A machine that has no share yet says which store it cannot reach, and does not begin. */
export async function expectNoBeginning(world: World, mostSeconds = 5): Promise<void> {
  const machine = await world.add({processes: 0})
  const started = performance.now()
  const {exitCode, stdout, stderr} = await machine.run(['organizations', 'list'])
  const seconds = (performance.now() - started) / second
  const password = decodeURIComponent(new URL(world.database).password)
  if (exitCode !== 75) throw new Error(`Without a store and a share: exit ${exitCode}, not 75:\n${stderr}`)
  if (seconds > mostSeconds) throw new Error(`Without a store: ${seconds.toFixed(1)} s until it said so`)
  if (`${stdout}${stderr}`.includes(password)) throw new Error(`The password is shown:\n${stderr}`)
}
