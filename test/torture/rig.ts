import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createRandom, type Random} from '../../src/sandbox/seed/random.js'
import {type Sandbox, startSandbox} from '../../src/sandbox/server.js'
import type {Ran} from '../support/run-binary.js'
import {toTextWorkbook} from '../support/text-workbook.js'
import {type Round, routes} from './routes.js'
import {type Kill, runOnce} from './run-once.js'

type Tally = {
  kills: number
  rounds: number
  /** Rounds by exit code of the last command. */
  exits: Record<string, number>
  faultsFired: number
  rows: Record<string, number>
  /** What must never be: sentences. */
  wrong: string[]
  /** Folders of the rounds that went wrong. */
  kept: string[]
}

export type RigOptions = {
  kills: number
  seed: number
  /** Rounds at the same time. */
  workers: number
  onRound?: (tally: Tally) => void
}

const rowsOfRound = 24
const setSize = 4
const mostSteps = 14
const settleSeconds = '0.9'

/** Kills runs at random until so many were killed; each of them is gone on with until it is done, and then compared. */
export async function tortureWrites({kills, seed, workers, onRound}: RigOptions): Promise<Tally> {
  const tally: Tally = {kills: 0, rounds: 0, exits: {}, faultsFired: 0, rows: {}, wrong: [], kept: []}
  const work = async (worker: number) => {
    const sandbox = await startSandbox({limits: false, batches: 0, machines: 40, seed: seed + worker})
    try {
      for (let number = worker; tally.kills < kills; number += workers) {
        if (number % 50 === worker) sandbox.reset()
        await playRound(sandbox, {seed, number, kills}, tally)
        tally.rounds++
        onRound?.(tally)
      }
    } finally {
      await sandbox.close()
    }
  }
  await Promise.all(Array.from({length: workers}, (_, worker) => work(worker)))
  return tally
}

type Place = {seed: number; number: number; kills: number}

async function playRound(sandbox: Sandbox, {seed, number, kills}: Place, tally: Tally): Promise<void> {
  const random = createRandom(seed * 100_003 + number)
  const route = routes[number % routes.length]
  if (!route) throw new TypeError('no route')
  const round = route(sandbox, `torture ${seed} ${number}`, rowsOfRound)
  const home = mkdtempSync(join(tmpdir(), 'vendorctl-torture-'))
  const before = tally.wrong.length
  try {
    const isBook = Math.floor(number / routes.length) % 2 === 1
    const file = await writeRows(round, home, isBook ? 'xlsx' : 'csv')
    sandbox.faults.set(pickFaults(random, round.operation), seed + number)
    const going: Going = {
      ...{round, home, file, name: `round ${number} of seed ${seed}`},
      pick: () => (tally.kills < kills ? pickKill(random) : undefined),
      repeats: () => random() < 0.3,
    }
    const last = await goOn(sandbox, going, tally)
    tally.faultsFired += sandbox.faults.list().reduce((sum, {fired}) => sum + fired, 0)
    await lateCommits()
    if (last) compare(round, last, `round ${number} of seed ${seed} (${round.operation})`, tally)
  } finally {
    sandbox.faults.clear()
    if (tally.wrong.length === before) rmSync(home, {recursive: true, force: true})
    else tally.kept.push(home)
  }
}

/** The longest late commit of a fault, and a little more. */
const lateCommits = () => new Promise((resolve) => setTimeout(resolve, 450))

type Going = {
  round: Round
  home: string
  /** Of rows, in the home. */
  file: string
  name: string
  /** Whether and when to kill; undefined lets it end. */
  pick: () => Kill | undefined
  /** Whether the command itself goes on after a kill, instead of `runs resume`. */
  repeats: () => boolean
}

/** The command, killed or not, and whatever goes on with it, until something ends by itself and is final. */
async function goOn(
  sandbox: Sandbox,
  {round, home, file, name, pick, repeats}: Going,
  tally: Tally,
): Promise<Ran | undefined> {
  const settle = ['--settle', settleSeconds] // the usual two minutes are longer than a test
  const sending = ['--set-size', String(setSize), '--on-error', 'quarantine', ...settle]
  const start = [...round.words, '--file', file, ...sending]
  const resume = ['runs', 'resume', 'latest', ...settle, '--resend-after-settle']
  let words = start
  for (let step = 0; step < mostSteps; step++) {
    if (step === mostSteps - 4) sandbox.faults.clear()
    const kill = step < mostSteps - 6 ? pick() : undefined
    const ran = await runOnce(sandbox, [...words, '--yes', '--json'], home, kill)
    if (ran.signal === 'SIGKILL') {
      tally.kills++
      const told = toldBeforeDeath(ran)
      if (told && isFinal(told, step)) return told
      words = told || !repeats() ? resume : start
    } else if (isNothingToResume(ran)) words = start
    else if (isFinal(ran, step)) return ran
    else words = resume
  }

  tally.wrong.push(`${name}: no end after ${mostSteps} steps`)
  return undefined
}

/** Who was killed after it had said all has said it: nobody who reads that gives the same rows again. */
function toldBeforeDeath(ran: Ran): Ran | undefined {
  if (!ran.stdout.endsWith('\n}\n')) return undefined
  const {ok, errors} = JSON.parse(ran.stdout) as Told
  return {...ran, exitCode: ok ? 0 : (errors[0]?.exit ?? 1)}
}

function isNothingToResume({exitCode, stdout}: Ran): boolean {
  return exitCode === 2 && /NO_RUN|NOTHING_TO_RESUME|NEVER_BEGAN/.test(stdout)
}

/** Rows that are unsent or in doubt are gone on with, as long as there are steps left without a fault. */
function isFinal({exitCode, stdout}: Ran, step: number): boolean {
  if (exitCode === 0) return true
  if (exitCode !== 5 && exitCode !== 6 && exitCode !== 7) return false
  if (!/"fate"/.test(stdout)) return false // an earlier run is in doubt: nothing was sent, and no row is told of
  return !/"fate":\s*"(unsent|inDoubt)"/.test(stdout) || step >= mostSteps - 2
}

function pickKill(random: Random): Kill | undefined {
  const choice = random()
  if (choice < 0.25) return undefined
  return choice < 0.55 ? {milliseconds: 120 + random() * 700} : {point: 1 + Math.floor(random() * 60)}
}

function pickFaults(random: Random, operation: string): string[] {
  const nth = 1 + Math.floor(random() * 6)
  const faults = [
    ...['reset-before', 'reset-after-commit', 'late-commit(300)', 'trunc-cl', 'trunc-chunked', 'close-delim'],
    ...['status(500)', 'status(504,html)', 'status(500,after-commit)', 'status(504,html,after-commit)'],
    ...['throttle', 'token-expire(2)', 'json([])', 'ctype(text/html)'],
  ]
  if (random() < 0.3) return []
  return [`${faults[Math.floor(random() * faults.length)]}@${operation}#${nth}`]
}

type Sheet = {header: string[]; rows: readonly {cells: string[]}[]}

/** Writes the file of a round into its home, and gives its name. */
async function writeRows({header, rows}: Sheet, home: string, format: 'csv' | 'xlsx'): Promise<string> {
  const cells = rows.map((row) => row.cells)
  const name = `rows.${format}`
  const csv = () => [header, ...cells].map((line) => `${line.join(',')}\n`).join('')
  writeFileSync(join(home, name), format === 'csv' ? csv() : await toTextWorkbook(header, cells))
  return name
}

type Told = {
  ok: boolean
  data?: {rows?: {line: number; fate: string}[]} | null
  errors: {code: string; message: string; exit: number}[]
}

/** Row by row: what was told of it, and how often the store holds it. */
function compare({rows}: Round, last: Ran, name: string, tally: Tally): void {
  tally.exits[String(last.exitCode)] = (tally.exits[String(last.exitCode)] ?? 0) + 1
  const told = JSON.parse(last.stdout) as Told
  const fates = new Map(told.data?.rows?.map(({line, fate}) => [line, fate]))
  for (const [index, {count}] of rows.entries()) {
    const fate = fates.get(index + 2) ?? 'untold'
    const found = count()
    tally.rows[fate] = (tally.rows[fate] ?? 0) + 1
    const where = `${name}, line ${index + 2}: told ${fate}, the store holds ${found}`
    if (found > 1) tally.wrong.push(`${where}: applied twice`)
    else if (fate === 'applied' && found === 0) tally.wrong.push(`${where}: lost`)
    else if (fate !== 'applied' && fate !== 'inDoubt' && found > 0) tally.wrong.push(`${where}: applied without a word`)
    else if (fate === 'untold') tally.wrong.push(where)
  }
}
