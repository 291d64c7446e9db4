import {parseArgs} from 'node:util'
import {isMainThread} from 'node:worker_threads'
import {bundle} from './bundle.js'
import {playAll, type Task, work} from './crew.js'
import {type ActName, acts, type Case, toCases} from './history.js'
import {planted} from './planted.js'
import {regressions} from './regressions.js'
import {createTally} from './tally.js'

/** The command line, or a thread of it. */
export async function main(script: URL): Promise<void> {
  if (isMainThread) await command(script)
  else await work()
}

async function command(script: URL): Promise<void> {
  const {values, positionals} = parseArgs({
    allowPositionals: true,
    options: {
      seeds: {type: 'string', default: '1-100'},
      workers: {type: 'string', default: '2'},
      acts: {type: 'string', default: Object.keys(acts).join(',')},
      regressions: {type: 'boolean', default: false},
      shrink: {type: 'boolean', default: false},
      trace: {type: 'boolean', default: false},
      keep: {type: 'boolean', default: false},
      digests: {type: 'boolean', default: false},
      planted: {type: 'boolean', default: false},
      hunt: {type: 'boolean', default: false},
    },
  })
  const workers = Number(values.workers)
  const names = values.acts.split(',').filter((name): name is ActName => name in acts)
  if (names.length === 0) throw new Error(`no acts: ${Object.keys(acts).join(', ')}`)
  const seeds = readSeeds(values.seeds)
  if (values.planted) return findPlanted(script, {...values, asked: positionals, workers, seeds})
  const {trace: isTraced, keep: isKept, digests: isDigested, shrink: isShrunk} = values
  const flags = {isTraced, isKept, isDigested, isShrunk}
  const cases = [...(values.regressions ? regressions : []), ...toCases(seeds, names)]
  await playSpan(script, {bundle: await bundle(), cases, workers, ...flags}, values.acts)
}

function readSeeds(span: string): number[] {
  const [first = 1, last = first] = span.split('-').map(Number)
  return Array.from({length: last - first + 1}, (_, index) => first + index)
}

async function playSpan(script: URL, task: Task, acts: string): Promise<void> {
  const tally = createTally()
  const [began, before] = [performance.now(), process.cpuUsage()]
  await playAll(script, task, ({played, text}) => {
    process.stdout.write(text)
    tally.add(played)
    return undefined
  })
  const {user, system} = process.cpuUsage(before)
  process.stdout.write(tally.describe({seconds: (performance.now() - began) / 1e3, cpu: user + system, acts}))
  process.exitCode = tally.wrong.length === 0 ? 0 : 1
}

type Search = {asked: readonly string[]; hunt: boolean; shrink: boolean; workers: number; seeds: readonly number[]}

/** Plays each planted bug, or those asked for, with the seed that is known to find it, or looks for one. */
async function findPlanted(script: URL, {asked, hunt, shrink, workers, seeds}: Search): Promise<void> {
  const all = asked.length === 0 ? Object.keys(planted) : asked
  for (const name of all) {
    const found = planted[name]
    if (!found) throw new Error(`no planted bug: ${Object.keys(planted).join(', ')}`)
    const {act, seed, ...patch} = found
    const cases: Case[] = (hunt ? seeds : [seed]).map((each) => ({seed: each, act}))
    const lines: string[] = []
    await playAll(script, {bundle: await bundle([patch]), cases, workers, isShrunk: shrink}, ({played, text}) => {
      if (played.wrong.length === 0) return undefined
      lines.push(`seed ${played.case.seed}: ${played.wrong[0]?.split('\n')[0]}${shrink ? `\n${text}` : ''}`)
      return 'enough'
    })
    process.stdout.write(`${name}: ${lines[0] ?? 'NOT FOUND'}\n`)
    if (lines.length === 0) process.exitCode = 1
  }
}
