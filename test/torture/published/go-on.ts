import {appendFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Random} from '../../../src/sandbox/seed/random.js'
import type {Ran} from '../../support/run-binary.js'
import {type Kill, pickKill, run, type Tally as Simple, writeRows} from '../rig.js'
import type {Round} from './rounds.js'
import {login, type Service} from './service.js'

export type Tally = Simple & {
  /** Rows that ended in doubt, by operation. */
  doubts: Record<string, number>
  /** The oldest count that was set beside a change of other fields, in milliseconds. */
  oldestCount: number
  troubles: Record<string, number>
}

export type Playing = {
  service: Service
  round: Round
  random: Random
  name: string
  home: string
  /** Whether there are kills left. */
  kill: () => boolean
  /** The run that is undone; the round is then the way back. */
  undoes?: string
}

const mostSteps = 14
const settle = ['--settle', '0.9', '--resend-after-settle'] // the usual two minutes are longer than a test

/** The command, killed or not, and what the program says is next, until nothing is left to do. */
export async function goOn(playing: Playing, tally: Tally): Promise<Ran | undefined> {
  const {service, round, random, name, home, kill, undoes} = playing
  const door = {...login, url: service.url}
  const start = await startOf(playing, door)
  const resume = ['runs', 'resume', 'latest', ...settle]
  const reconcile = ['runs', 'reconcile', 'latest', ...settle]
  let words = start
  let confirmed: string[] = []
  for (let step = 0; step < mostSteps; step++) {
    if (step === mostSteps - 5) service.rules.trouble = 0
    const isHarmed = step < mostSteps - 6 && kill()
    const harm = isHarmed ? (random() < 0.1 ? 'twice' : pickKill(random)) : {}
    const ran = await runOnce(door, [...words, ...confirmed, '--yes', '--json'], home, harm)
    const how = ran.signal ?? `exit ${ran.exitCode}`
    appendFileSync(join(home, 'steps'), `${words.join(' ')}: ${how}\n${ran.stderr}${ran.stdout}\n`)
    const code = firstCode(ran)
    const asked = /--confirm-count[ =](\d+)/.exec(ran.stdout + ran.stderr)?.[1]
    if (ran.signal === 'SIGKILL') tally.kills++
    if (undoes !== undefined && words !== start && ran.stdout.includes(`"runId": "${undoes}"`))
      words = start // what undoes it never began
    else if (ran.signal === 'SIGKILL') {
      const told = toldBeforeDeath(ran)
      if (told && isFinal(told, step)) return told
      words = told || random() < 0.7 ? resume : start
    } else if (words === reconcile)
      words = resume // it tells of the sets in doubt only
    else if (isFinal(ran, step)) return ran
    else if (ran.exitCode === 2 && asked !== undefined) confirmed = ['--confirm-count', asked]
    else if (ran.exitCode === 3 && words === start && service.ledger.length === 0) return ran
    else if (isNotBegun(code)) words = start
    else if (isDone(code)) return run(door, ['runs', 'results', 'latest', '--json'], home)
    else if (ran.exitCode === 2 || ran.exitCode === 1 || ran.exitCode === 12) {
      const given = [...words, ...confirmed].join(' ')
      tally.wrong.push(`${name}: exit ${ran.exitCode} of ${given}: ${ran.stderr.slice(0, 600)}`)
      return undefined
    } else words = ran.exitCode === 7 && random() < 0.4 ? reconcile : resume
  }
  tally.wrong.push(`${name}: no end after ${mostSteps} steps (${round.operation})`)
  return undefined
}

type Door = Parameters<typeof run>[0]

async function startOf({round, home, undoes}: Playing, door: Door): Promise<string[]> {
  const sending = ['--set-size', String(round.setSize), '--on-error', 'quarantine']
  const shortly = settle.slice(0, 2)
  if (undoes !== undefined) return ['runs', 'undo', undoes, ...sending, ...shortly]
  const isFile = round.header.length > 0
  const file = isFile ? ['--file', await writeRows({...round, rows: round.lines}, home, 'csv')] : []
  const given = [...round.words, ...file, ...sending]
  if (!round.isPlanned) return [...given, ...shortly]
  await run(door, [...given, '--dry-run', '--plan-out', 'plan.json'], home)
  return [...round.words.slice(0, 2), '--apply-plan', 'plan.json', ...shortly]
}

/** Two at the same time: one of them waits or is locked out, and the other one counts. */
async function runOnce(door: Door, words: string[], home: string, kill: Kill | 'twice'): Promise<Ran> {
  if (kill !== 'twice') return run(door, words, home, kill)
  const both = await Promise.all([run(door, words, home), run(door, words, home)])
  appendFileSync(join(home, 'steps'), both.map(({exitCode}) => `at the same time: exit ${exitCode}\n`).join(''))
  const [first, second] = both
  return isOutrun(first) ? second : first
}

/** Locked out, or found that the other one was quicker. */
function isOutrun(ran: Ran): boolean {
  return ran.exitCode === 13 || ['SENT_MEANWHILE', 'NOTHING_TO_RESUME', 'FILE_APPLIED'].includes(firstCode(ran))
}

type Told = {ok: boolean; errors: {code?: string; exit: number}[]}

function firstCode({stdout}: Ran): string {
  if (!stdout.endsWith('\n}\n')) return ''
  return (JSON.parse(stdout) as Told).errors[0]?.code ?? ''
}

/** Who was killed after it had said all has said it. */
function toldBeforeDeath(ran: Ran): Ran | undefined {
  if (!ran.stdout.endsWith('\n}\n')) return undefined
  const {ok, errors} = JSON.parse(ran.stdout) as Told
  return {...ran, exitCode: ok ? 0 : (errors[0]?.exit ?? 1)}
}

const isNotBegun = (code: string) => code === 'NO_RUN' || code === 'RUN_NEVER_BEGAN'

/** Was done when it was killed, and says so when it is asked to begin or to go on. */
const isDone = (code: string) => ['NOTHING_TO_RESUME', 'FILE_APPLIED', 'NOTHING_TO_UNDO'].includes(code)

/** Rows that are unsent or in doubt are resumed, as long as there are steps left without trouble. */
function isFinal({exitCode, stdout}: Ran, step: number): boolean {
  if (exitCode === 0) return true
  if (exitCode !== 5 && exitCode !== 6 && exitCode !== 7) return false
  if (!/"fate"/.test(stdout)) return false // an earlier run is in doubt: nothing was sent, and no row is told of
  return !/"fate":\s*"(unsent|inDoubt)"/.test(stdout) || step >= mostSteps - 2
}
