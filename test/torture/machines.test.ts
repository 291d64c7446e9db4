import {setTimeout as wait} from 'node:timers/promises'
import {afterAll, expect, test} from 'vitest'
import {expectNoBeginning} from './machines/scenarios.js'
import {closeWorlds, createWorld} from './machines/world.js'

afterAll(closeWorlds)

/** The short form of `npm run torture -- --machines 8`. */
test('machines that share a budget are refused nothing, though one dies and the store is away', async () => {
  const world = await createWorld()
  const [first] = await Promise.all([world.add({parallel: 3}), world.add({parallel: 3})])
  await Promise.all(world.machines.map(({ready}) => ready))
  await wait(500)
  first.kill()
  await world.postgres.kill()
  await expectNoBeginning(world, Number.POSITIVE_INFINITY)
  await world.postgres.start()

  const {served, refused, judged, counted, unknown, failures, fallen} = await world.end()

  expect({refused, judged, failures, fallen}).toEqual({refused: 0, judged: 0, failures: {}, fallen: 0})
  expect(served).toBeGreaterThan(5)
  expect(counted).toBeGreaterThanOrEqual(served)
  expect(counted).toBeLessThanOrEqual(served + unknown)
})
