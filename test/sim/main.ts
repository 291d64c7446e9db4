import {parseArgs} from 'node:util'
import {isMainThread} from 'node:worker_threads'
import {bundle} from './bundle.js'
import {type Flags, playAll, work} from './crew.js'
import {type ActName, acts, type Case, type Played, toCases} from './history.js'
import {planted} from './planted.js'
import {regressions} from './regressions.js'

export const main = (): Promise<void> => (isMainThread ? command() : work())

async function command(): Promise<void> {
  const flag = {type: 'boolean', default: false} as const
  const {values, positionals} = parseArgs({
    allowPositionals: true,
    options: {
      seeds: {type: 'string', default: '1-100'},
      workers: {type: 'string', default: '2'},
      minutes: {type: 'string', default: 'Infinity'},
      acts: {type: 'string', default: Object.keys(acts).join(',')},
      ...{regressions: flag, shrink: flag, trace: flag, keep: flag, digests: flag, planted: flag, hunt: flag},
    },
  })
  const workers = Number(values.workers)
  const names = values.acts.split(',') as ActName[]
  const isKnown = names.every((name) => name in acts) && /^\d+(-\d+)?$/.test(values.seeds)
  if (!isKnown) throw new Error(`--seeds 1-400, or one; --acts of ${Object.keys(acts).join(', ')}`)
  const [first = 1, last = first] = values.seeds.split('-').map(Number)
  const seeds = Array.from({length: last - first + 1}, (_, index) => first + index)
  if (values.planted) return findPlanted(positionals, workers, values, values.hunt ? seeds : undefined)
  const cases = [...(values.regressions ? regressions : []), ...toCases(seeds, names)]
  const task = {bundle: await bundle(), cases, flags: values}
  const all: Played[] = []
  const [began, before] = [performance.now(), process.cpuUsage()]
  await playAll(task, workers, ({played, text}) => {
    process.stdout.write(text)
    all.push(played)
    return performance.now() - began > Number(values.minutes) * 60_000 ? 'enough' : undefined
  })
  const {user, system} = process.cpuUsage(before)
  const seconds = (performance.now() - began) / 1e3
  process.stdout.write(describeSpan(all, values.acts, seconds, (user + system) / 1e3))
  process.exitCode = all.every(({wrong}) => wrong.length === 0) ? 0 : 1
}

/** The last lines of a span; `cpu` are milliseconds of all threads, without the building of the program. */
function describeSpan(all: readonly Played[], names: string, seconds: number, cpu: number): string {
  const list = (counted: [string, number][]) => {
    const sums: Record<string, number> = {}
    for (const [kind, count] of counted) sums[kind] = (sums[kind] ?? 0) + count
    const told = Object.entries(sums).map((sum) => sum.join(' '))
    return told.sort().join(' · ')
  }
  const sum = (name: 'lives' | 'kills') => all.reduce((total, one) => total + one[name], 0)
  const wrong = all.filter((one) => one.wrong.length > 0).map((one) => one.case.seed)
  const again = `, seeds ${wrong.join(' ')}: --acts ${names}, with --trace or --shrink`
  return [
    `faults: ${list(all.flatMap(({faults}) => Object.entries(faults)))}`,
    `${all.length} histories (${list(all.map((one) => [one.case.act, 1]))}), ${sum('lives')} lives, ${sum('kills')} kills`,
    `${(cpu / Math.max(1, all.length)).toFixed(1)} ms of CPU a history, ${(all.length / seconds).toFixed(1)} histories a second, ${seconds.toFixed(1)} s`,
    `${wrong.length} wrong${wrong.length > 0 ? again : ''}\n`,
  ].join('\n')
}

/** Plays each planted bug, or those asked for, with the seed that is known to find it, or looks for one in `seeds`. */
async function findPlanted(asked: readonly string[], workers: number, {shrink = false}: Flags, seeds?: number[]) {
  for (const name of asked.length === 0 ? Object.keys(planted) : asked) {
    const found = planted[name]
    if (!found) throw new Error(`no planted bug: ${Object.keys(planted).join(', ')}`)
    const [act, seed, from, to] = found
    const cases: Case[] = (seeds ?? [seed]).map((each) => ({seed: each, act}))
    let line: string | undefined
    await playAll({bundle: await bundle({from, to}), cases, flags: {shrink}}, workers, ({played, text}) => {
      if (played.wrong.length === 0) return undefined
      line ??= `seed ${played.case.seed}: ${played.wrong[0]?.split('\n')[0]}${shrink ? `\n${text}` : ''}`
      return 'enough'
    })
    process.stdout.write(`${name}: ${line ?? 'NOT FOUND'}\n`)
    if (line === undefined) process.exitCode = 1
  }
}
