import {afterAll, expect, test} from 'vitest'
import {createRandom} from '../../src/sandbox/seed/random.js'
import {type Limits, playScenario, scenarios} from './machines/scenarios.js'
import {closeWorlds, type Verdict} from './machines/world.js'

const number = (name: string, usual: number) => Number(process.env[`TORTURE_${name}`] || usual)
const machines = number('MACHINES', 8)
const seed = number('SEED', 1)
const seconds = number('SECONDS', 60)
const kills = number('KILLS', 200)
const only = process.env['TORTURE_ONLY']?.split(',').filter(Boolean) ?? []

afterAll(closeWorlds)

for (const [place, scenario] of scenarios.entries()) {
  test.runIf(only.length === 0 || only.includes(scenario.name))(
    `${machines} machines of one key: ${scenario.name}`,
    async () => {
      const verdict = await playScenario(scenario, {machines, seconds, kills, random: createRandom(seed * 100 + place)})
      process.stdout.write(`${describe(scenario.name, verdict)}\n`)

      expect(judge(verdict, scenario.limits)).toEqual([])
    },
  )
}

/** What is not as it must be. */
function judge(verdict: Verdict, limits: Limits): string[] {
  const {atWork, served, refused, judged, ideal, counted, unknown, asks, each, longest, fallen} = verdict
  const least = each.length === 0 ? 1 : Math.min(...each) / (Math.max(1, served - unknown) / machines)
  const wrong: [boolean, string][] = [
    [refused > 0, `the service refused ${refused}`],
    [fallen > 0, `${fallen} machines fell`],
    [judged > 0, `the judge refuses ${judged}`],
    [counted < served, `the store counted ${counted}, ${served - counted} too few`],
    [counted > served + unknown, `the store counted ${counted}, of which ${counted - served} were never sent`],
    [atWork < (limits.leastOfIdeal ?? 0) * ideal, `${atWork} of ${Math.floor(ideal)} that are allowed`],
    [least < (limits.leastOfShare ?? 0), `one machine had ${Math.round(least * 100)} % of its share`],
    [asks > served * (limits.mostTrips ?? Number.POSITIVE_INFINITY), `${asks} asks for ${served} requests`],
    [longest > (limits.longestMilliseconds ?? Number.POSITIVE_INFINITY), `a request took ${longest} ms`],
  ]
  return wrong.filter(([isWrong]) => isWrong).map(([, words]) => words)
}

function describe(name: string, verdict: Verdict): string {
  const {atWork, served, refused, judged, ideal, counted, unknown, asks, each, longest, failures, told} = verdict
  const share = ((atWork / ideal) * 100).toFixed(1)
  return [
    `${name.padEnd(10)}${served} served in ${verdict.seconds.toFixed(0)} s (${share} % of the ideal until they were told to end)`,
    `refused ${refused}, by the judge ${judged}; store ${counted} (of killed machines up to ${unknown})`,
    `${(asks / served).toFixed(3)} asks a request; longest ${longest} ms; each ${each.join(' ')}`,
    ...(Object.keys(failures).length > 0 ? [`failures ${JSON.stringify(failures)}`] : []),
    ...told.slice(0, 6),
  ].join('\n          ')
}
